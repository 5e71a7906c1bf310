package io.feedkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenMarks.Seen;
import io.feedkit.spi.SeenPosts;
import io.feedkit.testservers.Durability;
import io.feedkit.testservers.FaultyProxy;
import io.feedkit.testservers.RedisProgram;
import io.feedkit.testservers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("matrix")
@DisplayName("A store whose writes a replica must have")
@Timeout(300)
class ReplicatedWritesTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration SLACK = Duration.ofSeconds(1);
    private static final Keys KEYS = new Keys("feedkit");

    /**
     * Redis 6.2 waits for all writes that the connection has seen, newer versions for its own last write. So newer
     * versions are the harder case.
     */
    private static final RedisProgram NEWEST =
            RedisProgram.all().get(RedisProgram.all().size() - 1);

    private final RedisServer master = RedisServer.start(NEWEST, Durability.FAST);
    private final FaultyProxy replication = FaultyProxy.before(master.port());
    private final RedisServer replica = RedisServer.start(
            NEWEST, Durability.FAST, "--replicaof", "127.0.0.1", Integer.toString(replication.port()));
    private RedisFeedStore store;
    private FeedEngine feed;

    @BeforeEach
    void open() {
        awaitReplica();
        store = RedisFeedStore.builder(RedisServers.at(master.uri()))
                .replicas(1)
                .timeout(TIMEOUT)
                .build();
        feed = FeedEngine.builder(store).workers(0).build();
    }

    @AfterEach
    void close() {
        feed.close();
        store.close();
        replica.close();
        replication.close();
        master.close();
    }

    private void awaitReplica() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> master.ask("INFO", "replication").contains("state=online"));
    }

    private String posts() {
        return new String(KEYS.ofAuthor("posts", "bob"), StandardCharsets.US_ASCII);
    }

    private String edges() {
        return new String(KEYS.ofUser("followees", "ann"), StandardCharsets.US_ASCII);
    }

    @Test
    @DisplayName("acknowledges a post, a delete, a follow and an unfollow when it has them")
    void acknowledged() {
        replication.delay(Duration.ofMillis(20));
        for (int i = 0; i < 50; i++) {
            feed.publish("bob", "p" + i);
            assertThat(replica.ask("ZSCORE", posts(), "p" + i)).isNotEmpty();
        }
        feed.delete("bob", "p7");
        assertThat(replica.ask("ZSCORE", posts(), "p7")).startsWith("-");
        feed.follow("ann", "bob");
        assertThat(replica.ask("ZSCORE", edges(), "bob")).isEqualTo("0");
        feed.unfollow("ann", "bob");
        assertThat(replica.ask("ZSCORE", edges(), "bob")).isEmpty();
        assertThat(feed.publishAll(IntStream.range(50, 80)
                        .mapToObj(i -> Post.of("author" + i, "p" + i, i))
                        .toList()))
                .allMatch(published -> published.status() == Published.Status.NEW);

        master.kill();
        assertThat(replica.ask("ZCARD", posts())).isEqualTo("50");
    }

    @Test
    @DisplayName("acknowledges a mark when it has it, and says that it may be lost while the replica is gone")
    void marks() {
        String mark = new String(KEYS.ofUser("seen", "ann"), StandardCharsets.US_ASCII);
        replication.delay(Duration.ofMillis(20));
        store.seenMarks().markSeen(List.of(new Seen("ann", SeenPosts.upTo(new Position(1, "p", "bob")))));
        String seen = replica.ask("GET", mark);
        assertThat(seen).isNotEmpty().isEqualTo(master.ask("GET", mark));
        replication.blackHole(FaultyProxy.Direction.REPLIES);
        List<Seen> higher = List.of(new Seen("ann", SeenPosts.upTo(new Position(2, "q", "bob"))));
        assertThatThrownBy(() -> store.seenMarks().markSeen(higher))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("it was written, but only 0 of 1 replicas had it in time");
        assertThat(replica.ask("GET", mark)).isEqualTo(seen).isNotEqualTo(master.ask("GET", mark));
    }

    @Test
    @DisplayName("says in time that a post may be lost while the replica is gone, also when it is"
            + " repeated, and acknowledges it afterwards")
    void cutOff() {
        feed.publish("bob", "p0");
        replication.refuse();
        replication.resetAll();
        for (int i = 0; i < 6; i++) {
            long begun = System.nanoTime();
            assertThatThrownBy(() -> feed.publish(Post.of("bob", "p1", 1)))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("it was written, but only 0 of 1 replicas had it in time");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(TIMEOUT.plus(SLACK));
        }
        replication.pass();
        awaitReplica();
        assertThat(feed.publish(Post.of("bob", "p1", 1)).status()).isEqualTo(Published.Status.SAME);
        assertThat(replica.ask("ZSCORE", posts(), "p1")).isNotEmpty();
    }

    @Test
    @DisplayName("does not take a replica for one that has a repeated post, because it was there before")
    void repeated() {
        replication.blackHole(FaultyProxy.Direction.REPLIES);
        for (int i = 0; i < 6; i++) {
            assertThatThrownBy(() -> feed.publish(Post.of("bob", "p1", 1))).isInstanceOf(OutcomeUnknownException.class);
        }
        assertThat(replica.ask("ZCARD", posts())).isEqualTo("0");
    }

    @Test
    @DisplayName("has something written before each wait, also when a post is repeated")
    void marked() {
        feed.publish(Post.of("bob", "p1", 1));
        String marker = posts().replace("posts:bob", "wait");
        assertThat(master.ask("DEL", marker)).isEqualTo("1");
        assertThat(feed.publish(Post.of("bob", "p1", 1)).status()).isEqualTo(Published.Status.SAME);
        assertThat(replica.ask("GET", marker)).isEqualTo("1");
    }

    @Test
    @DisplayName("delays no read while it waits")
    void reads() {
        feed.publish("bob", "p0");
        replication.blackHole(FaultyProxy.Direction.REPLIES);
        List<CompletableFuture<Void>> writers = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.runAsync(() -> assertThatThrownBy(() -> feed.publish("bob", "x" + i))
                        .isInstanceOf(OutcomeUnknownException.class)))
                .toList();
        int reads = 0;
        long longest = 0;
        while (!writers.stream().allMatch(CompletableFuture::isDone)) {
            long begun = System.nanoTime();
            feed.readAuthor("bob", PageRequest.first(10));
            feed.read("ann", PageRequest.first(10));
            longest = Math.max(longest, System.nanoTime() - begun);
            reads++;
        }
        writers.forEach(CompletableFuture::join);
        assertThat(reads).isGreaterThan(10);
        assertThat(Duration.ofNanos(longest)).isLessThan(TIMEOUT.dividedBy(2));
    }

    @Test
    @DisplayName("teaches scripts to a server that forgot them")
    void forgottenScripts() {
        replication.delay(Duration.ofMillis(20));
        master.ask("SCRIPT", "FLUSH");
        assertThat(feed.publish("bob", "p0").status()).isEqualTo(Published.Status.NEW);
        assertThat(replica.ask("ZSCORE", posts(), "p0")).isNotEmpty();
    }

    @Test
    @DisplayName("refuses numbers of replicas that make no sense")
    void badNumbers() {
        for (int bad : List.of(-1, 101)) {
            assertThatThrownBy(() -> RedisFeedStore.builder(RedisServers.at(master.uri()))
                            .replicas(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("replicas must be between 0 and 100, but is " + bad);
        }
        assertThatThrownBy(() -> RedisFeedStore.builder(RedisServers.at(master.uri()))
                        .replicas(1)
                        .replicas(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("replicas was set before");
    }
}
