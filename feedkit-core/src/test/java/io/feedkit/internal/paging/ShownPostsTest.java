package io.feedkit.internal.paging;

import static io.feedkit.spi.SeenPosts.LOOKBACK_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenPosts;
import io.feedkit.spi.SeenPosts.Listed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What was shown")
class ShownPostsTest {

    private static final long TOP = 1_700_000_000_000L;
    private static final long LATER = TOP + 60_000;
    private static final Post POST = below(0);
    private static final int MOST_OF_ONE_TIME = 89;

    private static Post below(int millis) {
        return Post.of("bob", "p" + millis, TOP - millis);
    }

    private static ReadPage<Post> read(Optional<Position> resume, Post... newestFirst) {
        List<Post> posts = List.of(newestFirst);
        return new ReadPage<>(posts, posts, resume, false, Set.of(), false);
    }

    private static SeenPosts page(Optional<Position> resume, Post... newestFirst) {
        return ShownPosts.downwards(read(resume, newestFirst), LATER);
    }

    private static SeenPosts up(SeenPosts before, Optional<Position> resume, Post... newestFirst) {
        return ShownPosts.upwards(before, read(resume, newestFirst), false, LATER);
    }

    private static Optional<Position> at(Post post) {
        return Optional.of(Position.of(post));
    }

    private static List<Listed> listed(Post... posts) {
        return List.of(posts).stream().map(Listed::of).sorted().toList();
    }

    private static Post[] sameTime(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Post.of("bob", "p" + (999 - i), TOP))
                .toArray(Post[]::new);
    }

    @Test
    @DisplayName("goes two minutes down in a feed that has no more, and every post in them is listed")
    void window() {
        SeenPosts shown = page(Optional.empty(), POST, below(120_000), below(120_001));
        assertThat(shown.since()).isEqualTo(Listed.first(TOP - LOOKBACK_MILLIS));
        assertThat(shown.rest().from()).isEqualTo(new Position(TOP - LOOKBACK_MILLIS, "", ""));
        assertThat(shown.rest().below()).isEqualTo(Position.HIGHEST);
        assertThat(shown.listed()).isEqualTo(listed(below(120_000), POST));
        assertThat(List.of(POST, below(120_000), below(120_001), below(130_000)))
                .allMatch(shown::contains);
        assertThat(shown.contains(Post.of("eve", "p120000", TOP - 120_000))).isFalse();
        assertThat(shown.contains(Post.of("bob", "p120000", TOP - 119_999))).isFalse();
    }

    @Test
    @DisplayName("does not go below the epoch")
    void epoch() {
        SeenPosts shown = page(Optional.empty(), Post.of("bob", "1", 5));
        assertThat(shown.since().millis()).isZero();
        assertThat(SeenPosts.NOTHING.rest().contains(Post.of("!", "!", 0))).isTrue();
    }

    @Test
    @DisplayName("begins above the millisecond at which the page ended")
    void pageEnd() {
        assertThat(page(at(below(3)), POST, below(1), below(3)).since()).isEqualTo(Listed.first(TOP - 2));
        SeenPosts none = page(at(POST), POST);
        assertThat(none).isEqualTo(SeenPosts.upTo(Position.of(POST)));
        assertThat(none.rest().from()).isEqualTo(Position.of(POST).next());
    }

    @Test
    @DisplayName("never has its place above the present: posts ahead of it are listed")
    void ahead() {
        Post ahead = Post.of("eve", "ahead", LATER + 290_000);
        SeenPosts shown = page(Optional.empty(), ahead, POST);
        assertThat(shown.upTo()).isEqualTo(new Position(LATER + 1, "", ""));
        assertThat(shown.listed()).isEqualTo(listed(POST, ahead));
        assertThat(shown.contains(ahead)).isTrue();
        Post next = Post.of("cid", "next", LATER + 1);
        assertThat(shown.contains(next)).isFalse();
        SeenPosts then = ShownPosts.upwards(shown, read(Optional.empty(), next), false, LATER + 10_000);
        assertThat(then.upTo()).isEqualTo(Position.of(next));
        assertThat(List.of(ahead, next, POST)).allMatch(then::contains);
    }

    @Test
    @DisplayName("comes down with its place to the present of another engine, and keeps the list")
    void clockBehind() {
        SeenPosts shown = page(Optional.empty(), POST, below(5));
        SeenPosts behind = ShownPosts.upwards(shown, read(Optional.empty()), false, TOP - 15_000);
        assertThat(behind.upTo()).isEqualTo(new Position(TOP - 14_999, "", ""));
        assertThat(behind.since()).isEqualTo(shown.since());
        assertThat(behind.listed()).isEqualTo(shown.listed());
        SeenPosts bare = SeenPosts.upTo(Position.of(POST));
        assertThat(ShownPosts.upwards(bare, read(Optional.empty()), false, TOP - 15_000))
                .as("nothing else says what was shown")
                .isEqualTo(bare);
    }

    @Test
    @DisplayName("keeps the posts that did not fit into the list, when another engine marks it as seen or reads on")
    void clockBehindOfFullList() {
        Post[] posts = IntStream.range(0, 100).mapToObj(i -> below(100 * i)).toArray(Post[]::new);
        SeenPosts shown = page(Optional.empty(), posts);
        assertThat(shown.listed()).hasSizeLessThan(posts.length);
        for (int behind = 0; behind < 40_000; behind += 10) {
            SeenPosts marked = shown.notAbove(new Position(TOP - behind, "", ""));
            assertThat(List.of(posts)).as("%d ms behind", behind).allMatch(marked::contains);
            SeenPosts read = ShownPosts.upwards(shown, read(Optional.empty()), false, TOP - 1 - behind);
            assertThat(List.of(posts)).as("%d ms behind", behind).allMatch(read::contains);
        }
    }

    @Test
    @DisplayName("lists as many posts of one time as fit, and loses few of those that come later")
    void oneTime() {
        Post[] posts = sameTime(100);
        SeenPosts shown = page(Optional.empty(), posts);
        assertThat(shown.listed()).hasSize(MOST_OF_ONE_TIME);
        assertThat(List.of(posts)).allMatch(shown::contains);
        assertThat(shown.since().millis()).isEqualTo(TOP);
        long lost = IntStream.range(0, 1000)
                .mapToObj(i -> Post.of("eve", "a" + i, TOP))
                .filter(shown::contains)
                .count();
        assertThat(lost).as("of 1000 with lower ids").isBetween(50L, 170L);
        assertThat(IntStream.range(0, 1000).mapToObj(i -> Post.of("eve", "q" + i, TOP)))
                .as("with higher ids")
                .noneMatch(shown::contains);
    }

    @Test
    @DisplayName("gets a higher place if posts ahead of it do not fit, so that none is shown twice")
    void manyAhead() {
        List<Post> ahead = IntStream.range(0, 100)
                .mapToObj(i -> Post.of("eve", "p" + i, LATER + 1000L * (200 - i)))
                .toList();
        SeenPosts shown = page(Optional.empty(), ahead.toArray(Post[]::new));
        assertThat(shown.listed()).hasSizeBetween(40, 60);
        assertThat(ahead).allMatch(shown::contains);
        assertThat(shown.upTo().millis())
                .isGreaterThan(LATER)
                .isLessThan(shown.listed().get(0).millis());
    }

    @Test
    @DisplayName("goes up with a page read upwards, which adds to the list, late posts as well")
    void upwards() {
        SeenPosts shown = page(at(below(9)), POST, below(5), below(9));
        Post late = below(3);
        Post above = below(-2);
        SeenPosts next = up(shown, Optional.empty(), above, late);
        assertThat(next.upTo()).isEqualTo(Position.of(above));
        assertThat(next.since()).isEqualTo(shown.since());
        assertThat(List.of(above, POST, late, below(5))).allMatch(next::contains);
        Post far = below(-125_000);
        SeenPosts then = ShownPosts.upwards(next, read(Optional.empty(), far), false, TOP + 200_000);
        assertThat(then.listed()).isEqualTo(listed(far));
        assertThat(then.since()).isEqualTo(Listed.first(TOP + 5_000));
    }

    @Test
    @DisplayName("stays as it is with an empty page, and never goes back")
    void neverBack() {
        SeenPosts shown = page(Optional.empty(), POST, below(5));
        assertThat(up(shown, Optional.empty())).isEqualTo(shown);
        SeenPosts late = ShownPosts.upwards(shown, read(at(below(7)), below(7)), true, LATER);
        assertThat(late.upTo()).isEqualTo(shown.upTo());
        assertThat(late.since()).isEqualTo(shown.since());
        assertThat(late.contains(below(7))).isTrue();
    }

    @Test
    @DisplayName("begins later after a page that broke off below the position, and always gets to its end")
    void brokenOff() {
        SeenPosts shown = page(Optional.empty(), POST, below(5));
        SeenPosts next = up(shown, at(below(7)));
        assertThat(next.upTo()).isEqualTo(shown.upTo());
        assertThat(next.since()).isEqualTo(Listed.first(TOP - 7));
        assertThat(up(next, at(below(7))).since()).isEqualTo(Listed.first(TOP - 6));
        assertThat(up(shown, at(below(-3))).upTo()).isEqualTo(Position.of(below(-3)));
        assertThat(up(up(page(Optional.empty(), POST), at(POST)), at(POST)))
                .isEqualTo(SeenPosts.upTo(Position.of(POST)));
        Post ahead = Post.of("eve", "ahead", LATER + 1000);
        assertThat(up(shown, at(ahead)).rest().from())
                .as("above the present")
                .isEqualTo(new Position(ahead.publishedAt().toEpochMilli(), "", ""));
    }

    @Test
    @DisplayName("of two devices comes together in any order, and loses nothing that was shown")
    void union() {
        Random random = new Random(5);
        for (int round = 0; round < 200; round++) {
            List<SeenPosts> devices = new ArrayList<>();
            Collection<Post> all = new HashSet<>();
            for (int device = 0; device < 3; device++) {
                List<Post> posts = new ArrayList<>();
                for (int i = random.nextInt(40); i > 0; i--) {
                    posts.add(below(random.nextInt(200_000) - 40_000));
                }
                posts.sort(Collections.reverseOrder(Position::compare));
                all.addAll(posts);
                devices.add(page(Optional.empty(), posts.stream().distinct().toArray(Post[]::new)));
            }
            SeenPosts one = devices.get(0).and(devices.get(1)).and(devices.get(2));
            assertThat(all).allMatch(one::contains);
            assertThat(one.and(devices.get(random.nextInt(3)))).isEqualTo(one);
            assertThat(SeenPosts.of(one.toBytes())).isEqualTo(one);
            if (one.size() < 40) {
                assertThat(devices.get(2).and(devices.get(0)).and(devices.get(1)))
                        .isEqualTo(one);
            }
        }
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
