package io.feedkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.CallbackException;
import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.migration.FeedComparison.Difference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A comparison of feeds with those of another system")
class FeedComparisonTest {

    private static final long BEGIN = 1_700_000_000_000L;

    private final FeedEngine feed = FeedEngine.inMemory().workers(0).build();
    private final Map<String, List<PostKey>> other = new HashMap<>();

    @BeforeEach
    void publishTen() {
        feed.follow("ann", "bob");
        IntStream.rangeClosed(1, 10).forEach(i -> feed.publish(post(i)));
        other.put("ann", new ArrayList<>(keys(10, 9, 8, 7, 6, 5, 4, 3, 2, 1)));
    }

    @AfterEach
    void close() {
        feed.close();
    }

    private static Post post(int i) {
        return Post.of("bob", "p" + i, BEGIN + i);
    }

    private static List<PostKey> keys(int... numbers) {
        return IntStream.of(numbers).mapToObj(i -> post(i).key()).toList();
    }

    private List<PostKey> other(String reader) {
        return other.getOrDefault(reader, List.of());
    }

    private List<Difference> compare(int posts, String... readers) {
        return FeedComparison.of(feed, this::other)
                .posts(posts)
                .readersPerSecond(10_000)
                .compare(List.of(readers))
                .differences();
    }

    @Test
    @DisplayName("finds none between equal feeds, also if either has more posts than are compared")
    void equal() {
        assertThat(compare(20, "ann", "eve")).isEmpty();
        assertThat(compare(3, "ann")).isEmpty();
        other.put("ann", keys(10, 9, 8, 7));
        assertThat(compare(4, "ann")).isEmpty();
    }

    @Test
    @DisplayName("finds missing, extra and misplaced posts, and no others beside them")
    void different() {
        feed.delete("bob", "p9");
        other.put("ann", new ArrayList<>(keys(10, 9, 7, 5, 6, 4, 3, 2, 1)));
        assertThat(compare(5, "ann")).containsExactly(new Difference("ann", keys(9), keys(8), keys(6)));
    }

    @Test
    @DisplayName("counts posts below the other feed's last one as extra if that feed is complete")
    void ended() {
        other.put("ann", keys(10, 9, 8));
        other.put("eve", keys(4));
        assertThat(compare(4, "ann", "eve"))
                .containsExactly(
                        new Difference("ann", List.of(), keys(7, 6, 5, 4, 3), List.of()),
                        new Difference("eve", keys(4), List.of(), List.of()));
        other.put("ann", List.of());
        assertThat(compare(2, "ann")).hasSize(1);
    }

    @Test
    @DisplayName("reads on where a page is short because many posts are hidden")
    void shortPages() {
        Set<PostKey> shown = Set.copyOf(keys(200, 100, 1));
        try (FeedEngine filtered = FeedEngine.inMemory()
                .workers(0)
                .filter((reader, posts) -> posts.stream()
                        .filter(post -> shown.contains(post.key()))
                        .toList())
                .reading(reading -> reading.maxScannedPerPage(10))
                .build()) {
            filtered.follow("ann", "bob");
            IntStream.rangeClosed(1, 200).forEach(i -> filtered.publish(post(i)));
            FeedComparison comparison = FeedComparison.of(filtered, reader -> keys(200, 100, 1))
                    .posts(3)
                    .readersPerSecond(10_000);
            assertThat(comparison.compare(List.of("ann")).differences()).isEmpty();
        }
    }

    @Test
    @DisplayName("allows any order of posts of the same millisecond")
    void sameTime() {
        feed.publish(Post.of("bob", "x", BEGIN + 11));
        feed.publish(Post.of("bob", "y", BEGIN + 11));
        List<PostKey> swapped = new ArrayList<>(List.of(new PostKey("bob", "x"), new PostKey("bob", "y")));
        swapped.addAll(other("ann"));
        other.put("ann", swapped);
        assertThat(compare(20, "ann")).isEmpty();
        other.put("ann", List.of(swapped.get(1), swapped.get(0)));
        assertThat(compare(2, "ann")).isEmpty();
        other.put("ann", List.of(swapped.get(0)));
        assertThat(compare(1, "ann"))
                .as("the last one of those that are compared")
                .isEmpty();
    }

    @Test
    @DisplayName("tolerates posts that arrive in both systems while they are read")
    void arriving() {
        List<PostKey> growing = other.get("ann");
        int[] next = {11};
        assertThat(FeedComparison.of(feed, reader -> {
                            List<PostKey> answer = List.copyOf(growing);
                            feed.publish(post(next[0]));
                            growing.add(0, post(next[0]++).key());
                            return answer;
                        })
                        .posts(50)
                        .readersPerSecond(10_000)
                        .compare(List.of("ann"))
                        .differences())
                .isEmpty();
    }

    @Test
    @DisplayName("reports a reader only if a second comparison finds a difference, too")
    void confirmed() {
        List<PostKey> all = other.get("ann");
        int[] calls = {0};
        FeedComparison once = FeedComparison.of(feed, reader -> calls[0]++ < 2 ? all.subList(1, 10) : all)
                .readersPerSecond(10_000);
        assertThat(once.compare(List.of("ann", "ann")).differences()).isEmpty();
        assertThat(calls[0]).isEqualTo(4);
        assertThat(once.compare(List.of("ann")).readers()).isOne();
    }

    @Test
    @DisplayName("keeps to its rate, and ends early when it is interrupted")
    void rate() {
        long start = System.nanoTime();
        FeedComparison slow = FeedComparison.of(feed, this::other).posts(20).readersPerSecond(100);
        assertThat(slow.compare(List.of("ann", "r1", "r2", "r3", "r4", "r5")).readers())
                .isEqualTo(6);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(45));
        Thread.currentThread().interrupt();
        assertThat(slow.compare(List.of("ann")).readers()).isZero();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @DisplayName("refuses settings out of range, and reports failures of the other system")
    void failures() {
        FeedComparison comparison = FeedComparison.of(feed, reader -> {
            throw new IllegalStateException("down");
        });
        assertThatThrownBy(() -> comparison.compare(List.of("ann"))).isInstanceOf(CallbackException.class);
        assertThatThrownBy(() -> comparison.posts(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("posts")
                .hasMessageContaining("0");
        assertThatThrownBy(() -> comparison.readersPerSecond(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("readersPerSecond");
        assertThatThrownBy(() -> comparison.compare(List.of("a b"))).isInstanceOf(IllegalArgumentException.class);
    }
}
