package io.feedkit.redis.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.internal.RegisterSnapshot;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Thousands at a time")
class LargeBatchesTest {

    private static final int AUTHORS = 3000;

    private final TestOutbox truth = new TestOutbox();
    private final RedisOutbox outbox = truth.outbox();
    private final List<String> authors =
            IntStream.range(0, AUTHORS).mapToObj(n -> "author-" + n).toList();
    private final List<Post> posts = IntStream.range(0, 2 * AUTHORS)
            .mapToObj(n -> Post.of(authors.get(n % AUTHORS), "p" + n, n))
            .toList();

    @BeforeEach
    void publish() {
        truth.publish(posts);
    }

    @AfterEach
    void close() {
        truth.close();
    }

    @Test
    @DisplayName("are published, and asked for")
    void reads() {
        assertThat(outbox.newest(authors, PositionRange.ALL, 1))
                .isEqualTo(posts.subList(AUTHORS, 2 * AUTHORS).stream()
                        .map(List::of)
                        .toList());
        assertThat(outbox.page(new PageQuery(new HashSet<>(authors), PositionRange.ALL, Order.OLDEST_FIRST, 2500)))
                .isEqualTo(posts.subList(0, 2500));
        assertThat(outbox.lastAppended(authors))
                .hasSize(AUTHORS)
                .allSatisfy(
                        (author, at) -> assertThat(at).isEqualTo(truth.clock().millis()));
    }

    @Test
    @DisplayName("are deleted, and looked for")
    void deletes() {
        List<PostKey> keys = posts.stream().map(Post::key).toList();
        assertThat(outbox.existing(keys)).hasSize(2 * AUTHORS);
        assertThat(outbox.delete(keys.subList(0, AUTHORS))).hasSize(AUTHORS).doesNotContain(false);
        assertThat(outbox.existing(keys)).containsOnlyKeys(keys.subList(AUTHORS, 2 * AUTHORS));
        assertThat(RegisterSnapshot.of(outbox.pulled()).retracting()).isEqualTo(Set.copyOf(keys.subList(0, AUTHORS)));
        outbox.pulled().retracted(keys);
        assertThat(RegisterSnapshot.of(outbox.pulled()).retracting()).isEmpty();
        List<PostKey> ofOne = IntStream.range(0, 1000)
                .mapToObj(n -> new PostKey("author-7", "p" + n))
                .toList();
        assertThat(outbox.existing(ofOne)).isEmpty();
    }

    @Test
    @DisplayName("are claimed and finished")
    void tasks() {
        List<Claim> claims = outbox.fanout().claim(10_000, 60_000);
        assertThat(claims).hasSize(2 * AUTHORS);
        assertThat(outbox.fanout().finish(claims, 60_000)).hasSize(2 * AUTHORS).doesNotContain(false);
        assertThat(outbox.fanout().queueStatus().unfinished()).isZero();
    }

    @Test
    @DisplayName("are entered in the register")
    void register() {
        outbox.pulled().put(posts);
        assertThat(RegisterSnapshot.of(outbox.pulled()).pulled()).hasSize(AUTHORS);
        assertThat(RegisterSnapshot.of(truth.another().pulled())).isEqualTo(RegisterSnapshot.of(outbox.pulled()));
    }
}
