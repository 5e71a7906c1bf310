package io.feedkit.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.ProbedStore;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Collecting the newest posts of many authors")
class NewestPostsTest {

    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create());
    private final Outbox outbox = store.outbox();

    private void append(List<Post> posts) {
        outbox.append(posts.stream()
                .map(post -> new Publication(post, FanoutMode.PULL))
                .toList());
    }

    @Test
    @DisplayName("finds what sorting all of them finds, and a floor down to which nothing is missing")
    void againstBruteForce() {
        Random random = new Random(5);
        for (int round = 0; round < 150; round++) {
            List<String> authors = new ArrayList<>();
            List<Post> all = new ArrayList<>();
            int count = random.nextInt(round % 10 == 0 ? 450 : 12);
            for (int a = 0; a < count; a++) {
                String author = "r" + round + "a" + a;
                authors.add(author);
                int posts = random.nextInt(5) == 0 ? random.nextInt(300) : random.nextInt(4);
                for (int n = 0; n < posts; n++) {
                    all.add(Post.of(author, "p" + n, random.nextInt(1 + random.nextInt(2000))));
                }
            }
            append(all);
            int limit = 1 + random.nextInt(120);
            Position lowest = random.nextBoolean() ? Position.LOWEST : new Position(random.nextInt(2000), "p1", "r");
            NewestPosts newest = NewestPosts.collect(outbox, authors, lowest, limit);
            List<Post> sorted = new ArrayList<>(
                    all.stream().filter(post -> lowest.compareOf(post) >= 0).toList());
            sorted.sort(Collections.reverseOrder(Position::compare));
            assertThat(newest.posts()).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(limit);
            Set<Post> expected = new HashSet<>(sorted.subList(0, Math.min(limit, sorted.size())));
            assertThat(new HashSet<>(newest.posts())).isEqualTo(expected);
            assertThat(all.stream().filter(post -> newest.floor().compareOf(post) >= 0))
                    .as("posts above the floor")
                    .allMatch(expected::contains);
            if (sorted.size() < limit) {
                assertThat(newest.floor()).isEqualTo(lowest);
            }
        }
    }

    @Test
    @DisplayName("asks a few times, however many authors there are, and silent authors once only")
    void boundedQueries() {
        List<String> authors = new ArrayList<>();
        List<Post> all = new ArrayList<>();
        for (int a = 0; a < 1000; a++) {
            authors.add("a" + a);
            all.add(Post.of("a" + a, "old", a));
        }
        for (int n = 0; n < 1000; n++) {
            all.add(Post.of("a0", "p" + n, 1_000_000 + n));
        }
        append(all);
        assertThat(NewestPosts.collect(outbox, authors, Position.LOWEST, 1000).posts())
                .hasSize(1000);
        assertThat(store.calls("Outbox.newest")).isBetween(5, 10);
    }
}
