package io.feedkit.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Positions")
class PositionTest {

    private static final List<String> IDS =
            List.of("!", "!!", "0", "00", "1", "10", "2", "A", "Z", "a", "a!", "aa", "~", "~~");

    /** All positions with these few times and ids, so that ties abound. */
    private static List<Position> all() {
        List<Position> all = new ArrayList<>();
        for (long millis = 0; millis < 3; millis++) {
            for (String id : IDS) {
                for (String author : IDS) {
                    all.add(new Position(millis, id, author));
                }
            }
        }
        return all;
    }

    private static List<Position> sample(int seed, int size) {
        List<Position> all = all();
        Random random = new Random(seed);
        return Stream.generate(() -> all.get(random.nextInt(all.size())))
                .limit(size)
                .toList();
    }

    @Test
    @DisplayName("are ordered by time, then id by bytes, then author by bytes")
    void order() {
        List<Position> sorted = all();
        assertThat(sorted.stream().sorted().toList()).isEqualTo(sorted);
    }

    @Test
    @DisplayName("are ordered totally: antisymmetric, transitive, and equal only to themselves")
    void total() {
        List<Position> some = sample(1, 60);
        for (Position a : some) {
            for (Position b : some) {
                assertThat(Integer.signum(a.compareTo(b))).isEqualTo(-Integer.signum(b.compareTo(a)));
                assertThat(a.compareTo(b) == 0).isEqualTo(a.equals(b));
                for (Position c : some) {
                    if (a.compareTo(b) <= 0 && b.compareTo(c) <= 0) {
                        assertThat(a).isLessThanOrEqualTo(c);
                    }
                }
            }
        }
    }

    @Test
    @DisplayName("compare with posts, and posts with each other, as positions do")
    void posts() {
        for (Position a : sample(2, 80)) {
            for (Position b : sample(3, 80)) {
                assertThat(Integer.signum(Position.compare(a.post(), b.post())))
                        .isEqualTo(Integer.signum(a.compareTo(b)));
                assertThat(Integer.signum(b.compareOf(a.post()))).isEqualTo(Integer.signum(a.compareTo(b)));
                assertThat(Position.max(a, b)).isEqualTo(a.compareTo(b) >= 0 ? a : b);
                assertThat(Position.min(a, b)).isEqualTo(a.compareTo(b) <= 0 ? a : b);
            }
        }
    }

    @Test
    @DisplayName("have a next one that nothing lies in between")
    void next() {
        List<Position> all = all();
        for (Position a : all) {
            assertThat(a.next()).isGreaterThan(a);
            assertThat(all).noneMatch(b -> b.compareTo(a) > 0 && b.compareTo(a.next()) < 0);
        }
    }

    @Test
    @DisplayName("carry all of a post")
    void roundTrip() {
        Post post = Post.of("bob", "p1", 123);
        assertThat(Position.of(post).post()).isEqualTo(post);
    }

    @Test
    @DisplayName("of all posts lie between the lowest and the highest")
    void extremes() {
        assertThat(Position.of(Post.of("!", "!", 0))).isGreaterThan(Position.LOWEST);
        assertThat(Position.LOWEST.next()).isLessThanOrEqualTo(Position.of(Post.of("!", "!", 0)));
        assertThat(Position.of(new Post("~".repeat(64), "~".repeat(64), Post.LATEST)))
                .isLessThan(Position.HIGHEST);
    }

    @Test
    @DisplayName("make half-open ranges, which the next position turns inclusive or exclusive")
    void ranges() {
        for (Position bound : sample(4, 40)) {
            for (Position other : sample(5, 40)) {
                Post post = other.post();
                int order = other.compareTo(bound);
                assertThat(PositionRange.below(bound).contains(post)).isEqualTo(order < 0);
                assertThat(PositionRange.below(bound.next()).contains(post)).isEqualTo(order <= 0);
                assertThat(PositionRange.from(bound).contains(post)).isEqualTo(order >= 0);
                assertThat(PositionRange.from(bound.next()).contains(post)).isEqualTo(order > 0);
                assertThat(new PositionRange(bound, other).isEmpty()).isEqualTo(order <= 0);
                assertThat(PositionRange.ALL.contains(post)).isTrue();
            }
        }
    }
}
