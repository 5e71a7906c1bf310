package io.feedkit.redis.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Ranges of posts")
class PostRangeReaderTest {

    private static final long TIME = 1_700_000_000_000L;

    private final TestOutbox truth = new TestOutbox();
    private final RedisOutbox outbox = truth.outbox();

    @AfterEach
    void close() {
        truth.close();
    }

    private static List<Post> newestFirst(List<Post> posts) {
        List<Post> sorted = new ArrayList<>(posts);
        sorted.sort(Collections.reverseOrder(Position::compare));
        return sorted;
    }

    @Test
    @DisplayName("of very many posts of one time are walked through in both directions, each post once")
    void ties() {
        List<Post> posts = IntStream.range(0, 700)
                .mapToObj(n -> Post.of("bob", Integer.toString(n), TIME + n / 600))
                .toList();
        truth.publish(posts);
        List<Post> down = new ArrayList<>();
        Position below = Position.HIGHEST;
        for (List<Post> page = below(below, 23); !page.isEmpty(); page = below(below, 23)) {
            down.addAll(page);
            below = Position.of(page.get(page.size() - 1));
        }
        assertThat(down).isEqualTo(newestFirst(posts));
        List<Post> up = new ArrayList<>();
        for (List<Post> page = from(Position.LOWEST, 41); !page.isEmpty(); ) {
            up.addAll(page);
            page = from(Position.of(up.get(up.size() - 1)).next(), 41);
        }
        Collections.reverse(up);
        assertThat(up).isEqualTo(down);
    }

    private List<Post> below(Position below, int limit) {
        return outbox.newest(List.of("bob"), PositionRange.below(below), limit).get(0);
    }

    private List<Post> from(Position from, int limit) {
        return outbox.page(new PageQuery(Set.of("bob"), PositionRange.from(from), Order.OLDEST_FIRST, limit));
    }

    @Test
    @DisplayName("are of one moment, whatever is published and deleted beyond their bounds meanwhile")
    void oneMoment() {
        List<Post> posts = IntStream.range(1000, 1900)
                .mapToObj(n -> Post.of("bob", Integer.toString(n), TIME))
                .toList();
        truth.publish(posts);
        Position bound = Position.of(posts.get(120));
        List<Post> expected = newestFirst(posts.subList(20, 120));
        AtomicInteger deleted = new AtomicInteger(121);
        CompletableFuture<Void> deleting = CompletableFuture.runAsync(() -> {
            while (deleted.get() < posts.size()) {
                outbox.delete(List.of(posts.get(deleted.getAndIncrement()).key()));
            }
        });
        do {
            assertThat(below(bound, 100)).isEqualTo(expected);
        } while (!deleting.isDone());
        deleting.join();
    }

    @Test
    @DisplayName("cost a command an author, and one more for each that may have more above the bottom of the page")
    void twoRounds() {
        Set<String> authors =
                IntStream.range(0, 50).mapToObj(n -> "author-" + n).collect(Collectors.toSet());
        List<Post> posts = new ArrayList<>();
        authors.forEach(author -> IntStream.range(0, 30).forEach(n -> posts.add(Post.of(author, "old" + n, TIME + n))));
        List<Post> news = IntStream.range(0, 100)
                .mapToObj(n -> Post.of("author-" + n % 2, "new" + n, TIME + 1000 + n))
                .toList();
        truth.publish(posts);
        truth.publish(news);
        long before = TestOutbox.calls("zrevrangebyscore");
        assertThat(outbox.page(new PageQuery(authors, PositionRange.ALL, Order.NEWEST_FIRST, 40)))
                .isEqualTo(newestFirst(news).subList(0, 40));
        assertThat(TestOutbox.calls("zrevrangebyscore") - before).isEqualTo(52);
        before = TestOutbox.calls("zrangebyscore");
        assertThat(outbox.page(new PageQuery(authors, PositionRange.ALL, Order.OLDEST_FIRST, 1400)))
                .hasSize(1400);
        assertThat(TestOutbox.calls("zrangebyscore") - before).isEqualTo(50);
    }

    @Test
    @DisplayName("take no limit too large")
    void anyLimit() {
        truth.publish(List.of(Post.of("bob", "1", TIME), Post.of("bob", "2", TIME)));
        Position last = new Position(TIME, "2", "bob");
        assertThat(outbox.newest(List.of("bob"), PositionRange.below(last), Integer.MAX_VALUE))
                .containsExactly(List.of(Post.of("bob", "1", TIME)));
        assertThat(outbox.page(
                        new PageQuery(Set.of("bob", "amy"), PositionRange.ALL, Order.NEWEST_FIRST, Integer.MAX_VALUE)))
                .hasSize(2);
    }

    @Test
    @DisplayName("do not see tombstones, not even of posts that never were")
    void tombstones() {
        truth.publish(List.of(Post.of("bob", "1", 0), Post.of("bob", "2", 0)));
        outbox.delete(List.of(
                Post.of("bob", "1", 0).key(), Post.of("bob", "unseen", 0).key()));
        assertThat(from(Position.LOWEST, 10)).containsExactly(Post.of("bob", "2", 0));
        assertThat(from(new Position(-5, "", ""), 10)).containsExactly(Post.of("bob", "2", 0));
        assertThat(below(Position.HIGHEST, 10)).containsExactly(Post.of("bob", "2", 0));
    }
}
