package io.feedkit.internal.paging;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.internal.paging.ShownPosts.Listed;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What was shown")
class ShownPostsTest {

    private static final long TOP = 1_700_000_000_000L;
    private static final Post POST = below(0);

    private static Post below(int millis) {
        return Post.of("bob", "p" + millis, TOP - millis);
    }

    private static ShownPosts page(Optional<Position> resume, Post... newestFirst) {
        return ShownPosts.downwards(Position.of(newestFirst[0]), List.of(newestFirst), resume);
    }

    private static Optional<Position> at(Post post) {
        return Optional.of(Position.of(post));
    }

    @Test
    @DisplayName("goes ten seconds down in a feed that has no more, and every post in them is listed")
    void window() {
        ShownPosts shown = page(Optional.empty(), POST, below(10_000), below(10_001));
        assertThat(shown.since()).isEqualTo(TOP - 10_000);
        assertThat(shown.rest().from()).isEqualTo(new Position(TOP - 10_000, "", ""));
        assertThat(shown.rest().below()).isEqualTo(Position.HIGHEST);
        assertThat(shown.listed()).isEqualTo(List.of(Listed.of(below(10_000)), Listed.of(POST)));
        assertThat(shown.contains(POST)).isTrue();
        assertThat(shown.contains(below(10_000))).isTrue();
        assertThat(shown.contains(Post.of("eve", "p10000", TOP - 10_000))).isFalse();
        assertThat(shown.contains(Post.of("bob", "p10000", TOP - 9_999))).isFalse();
    }

    @Test
    @DisplayName("does not go below the epoch")
    void epoch() {
        ShownPosts shown = page(Optional.empty(), Post.of("bob", "1", 5));
        assertThat(shown.since()).isZero();
        assertThat(ShownPosts.NOTHING.rest().contains(Post.of("!", "!", 0))).isTrue();
    }

    @Test
    @DisplayName("begins above the millisecond at which the page ended")
    void pageEnd() {
        assertThat(page(at(below(3)), POST, below(1), below(3)).since()).isEqualTo(TOP - 2);
        ShownPosts none = page(at(POST), POST);
        assertThat(none).isEqualTo(ShownPosts.upTo(Position.of(POST)));
        assertThat(none.rest().from()).isEqualTo(Position.of(POST).next());
    }

    @Test
    @DisplayName("lists sixteen posts, and begins above the millisecond of the seventeenth")
    void sixteen() {
        Post[] posts = IntStream.range(0, 40).mapToObj(i -> below(i / 3)).toArray(Post[]::new);
        for (int i = 0; i < posts.length; i++) {
            posts[i] = Post.of("bob", "p" + (99 - i), posts[i].publishedAt().toEpochMilli());
        }
        ShownPosts shown = page(Optional.empty(), posts);
        // The seventeenth is the second of the sixth millisecond.
        assertThat(shown.since()).isEqualTo(TOP - 4);
        assertThat(shown.listed()).hasSize(15);
    }

    @Test
    @DisplayName("goes up with a page read upwards, which adds to the list, late posts as well")
    void upwards() {
        ShownPosts shown = page(at(below(9)), POST, below(5), below(9));
        Post late = below(3);
        Post above = below(-2);
        ShownPosts next = shown.upwards(List.of(above, late), Optional.empty(), false);
        assertThat(next.upTo()).isEqualTo(Position.of(above));
        assertThat(next.since()).isEqualTo(shown.since());
        assertThat(List.of(above, POST, late, below(5))).allMatch(next::contains);
        ShownPosts far = next.upwards(List.of(below(-10_004)), Optional.empty(), false);
        assertThat(far.listed()).isEqualTo(List.of(Listed.of(below(-10_004))));
        assertThat(far.since()).isEqualTo(TOP + 4);
    }

    @Test
    @DisplayName("stays as it is with an empty page, and never goes back")
    void neverBack() {
        ShownPosts shown = page(Optional.empty(), POST, below(5));
        assertThat(shown.upwards(List.of(), Optional.empty(), false)).isEqualTo(shown);
        ShownPosts late = shown.upwards(List.of(below(7)), at(below(7)), true);
        assertThat(late.upTo()).isEqualTo(shown.upTo());
        assertThat(late.since()).isEqualTo(shown.since());
        assertThat(late.contains(below(7))).isTrue();
    }

    @Test
    @DisplayName("begins later after a page that broke off below the position, and always gets to its end")
    void brokenOff() {
        ShownPosts shown = page(Optional.empty(), POST, below(5));
        ShownPosts next = shown.upwards(List.of(), at(below(7)), false);
        assertThat(next.upTo()).isEqualTo(shown.upTo());
        assertThat(next.since()).isEqualTo(TOP - 7);
        assertThat(next.upwards(List.of(), at(below(7)), false).since()).isEqualTo(TOP - 6);
        assertThat(shown.upwards(List.of(), at(below(-3)), false).upTo()).isEqualTo(Position.of(below(-3)));
        assertThat(page(Optional.empty(), POST)
                        .upwards(List.of(), at(POST), false)
                        .upwards(List.of(), at(POST), false))
                .isEqualTo(ShownPosts.upTo(Position.of(POST)));
    }

    @Test
    @DisplayName("lists ten thousand posts of a busy feed without a collision in one millisecond")
    void hashes() {
        List<Listed> listed = new ArrayList<>(IntStream.range(0, 10_000)
                .mapToObj(i -> Listed.of(Post.of("author-" + i % 100, Long.toString(1_000_000_000L + i), TOP)))
                .toList());
        Collections.sort(listed);
        assertThat(listed).doesNotHaveDuplicates();
    }
}
