package io.feedkit.redis;

import static io.feedkit.redis.TestRedis.commands;
import static io.feedkit.redis.TestRedis.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FollowCounts;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.redis.internal.call.Call;
import io.feedkit.redis.internal.call.Effect;
import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.start.CheckedLink;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.verify.Finding;
import io.feedkit.verify.Finding.Repair;
import io.feedkit.verify.FindingKind;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Damage to keys that verify finds and repairs")
class RedisVerifyTest {

    private static final VerifyRequest ALL_AT_ONCE =
            VerifyRequest.everything().perSecond(1_000_000).recheckAfter(Duration.ZERO);

    private final TestRedis redis = new TestRedis();
    private final RedisFeedStore store = new RedisFeedStore(
            new CheckedLink(redis.link(), List.of()),
            redis.link(),
            "a test",
            redis.prefix(),
            Optional.of(redis.clock()));
    private final FeedEngine engine =
            FeedEngine.builder(store).clock(redis.clock()).workers(0).build();

    @BeforeEach
    void prepare() {
        engine.follow("ann", "bob");
        engine.follow("dan", "bob");
        engine.read("ann", PageRequest.first(1));
        engine.publish("bob", "p1");
        redis.clock().advance(Duration.ofSeconds(1));
        engine.publish("bob", "p2");
        engine.fanout().drain();
        redis.clock().advance(Duration.ofSeconds(5));
        assertClean();
    }

    @AfterEach
    void close() {
        engine.close();
        redis.close();
    }

    private void assertClean() {
        assertThat(engine.verify(ALL_AT_ONCE).findings()).isEmpty();
    }

    private String key(String kind, String user) {
        return text(redis.keys().ofUser(kind, user));
    }

    private List<byte[]> entries() {
        return redis.link()
                .run(
                        "test",
                        Effect.READ,
                        Call.of(
                                CommandType.LRANGE,
                                ValueListOutput::new,
                                redis.keys().ofUser("inbox", "ann"),
                                Arguments.text("0"),
                                Arguments.text("-1")));
    }

    private void push(byte[] entry) {
        redis.link()
                .run(
                        "test",
                        Effect.WRITE,
                        Call.of(
                                CommandType.RPUSH,
                                IntegerOutput::new,
                                redis.keys().ofUser("inbox", "ann"),
                                entry));
    }

    /** Expects findings of one kind, repairs them, and expects none. */
    private void assertRepaired(FindingKind kind, int count) {
        VerifyReport found = engine.verify(ALL_AT_ONCE);
        assertThat(found.counts()).containsOnlyKeys(kind).containsEntry(kind, (long) count);
        assertThat(engine.verify(ALL_AT_ONCE.repair(true)).findings())
                .hasSize(count)
                .allMatch(finding -> finding.repair() == Repair.DONE);
        assertClean();
    }

    @Test
    @DisplayName("an entry that stands in an inbox twice, as after a repeated part of an append-only file")
    void twice() {
        List<byte[]> entries = entries();
        push(entries.get(entries.size() - 1));
        assertRepaired(FindingKind.POST_TWICE, 1);
        assertThat(entries()).hasSize(3);
        assertThat(engine.read("ann", PageRequest.first(5)).items())
                .extracting(Post::id)
                .containsExactly("p2", "p1");
    }

    @Test
    @DisplayName("entries of an inbox that are not in order")
    void disorder() {
        byte[] oldest = entries().get(1);
        redis.link()
                .run(
                        "test",
                        Effect.WRITE,
                        Call.of(
                                CommandType.LREM,
                                IntegerOutput::new,
                                redis.keys().ofUser("inbox", "ann"),
                                Arguments.text("1"),
                                oldest));
        push(oldest);
        assertThat(engine.verify(ALL_AT_ONCE).counts()).containsKey(FindingKind.POST_MISPLACED);
        assertThat(engine.verify(ALL_AT_ONCE.repair(true)).findings())
                .isNotEmpty()
                .allMatch(finding -> finding.repair() == Repair.DONE);
        assertClean();
    }

    @Test
    @DisplayName("an edge that only the reader's side has")
    void noFollower() {
        assertThat(commands().zrem(key("followers", "bob"), "ann")).isEqualTo(1);
        assertRepaired(FindingKind.EDGE_ON_ONE_SIDE, 1);
        assertThat(engine.followCounts("bob")).isEqualTo(new FollowCounts(2, 0));
    }

    @Test
    @DisplayName("an edge that only the author's side has")
    void noFollowee() {
        assertThat(commands().zadd(key("followers", "bob"), 0, "eve")).isEqualTo(1);
        assertRepaired(FindingKind.EDGE_ON_ONE_SIDE, 1);
        assertThat(engine.followCounts("bob")).isEqualTo(new FollowCounts(2, 0));
    }

    @Test
    @DisplayName("a settled mark that does not wait for a leased push")
    void settledMark() {
        engine.publish("bob", "p3");
        Claim claim = store.outbox()
                .fanout()
                .claim(1, Duration.ofMinutes(5).toMillis())
                .get(0);
        assertThat(commands().del(text(redis.keys().ofPartition("open", Keys.partition("bob")))))
                .isEqualTo(1);
        redis.clock().advance(Duration.ofSeconds(5));
        assertThat(engine.verify(ALL_AT_ONCE).counts())
                .containsOnlyKeys(FindingKind.SETTLED_MARK_TOO_HIGH, FindingKind.POST_MISSING);
        VerifyReport repaired = engine.verify(ALL_AT_ONCE.repair(true));
        assertThat(repaired.findings())
                .extracting(Finding::repair)
                .containsExactly(Repair.LEFT_TO_WORKERS, Repair.DONE);
        assertThat(repaired.findings().get(0).task()).hasValue(claim.task().id());
        redis.clock().advance(Duration.ofMinutes(5));
        engine.fanout().drain();
        assertClean();
    }

    @Test
    @DisplayName("a task for a post that the outbox has lost")
    void taskWithoutPost() {
        engine.publish("bob", "p3");
        assertThat(commands().zrem(text(redis.keys().ofAuthor("posts", "bob")), "p3"))
                .isEqualTo(1);
        VerifyReport found = engine.verify(ALL_AT_ONCE);
        assertThat(found.counts()).containsOnlyKeys(FindingKind.TASK_WITHOUT_POST);
        assertThat(found.findings().get(0).post()).hasValue("p3");
        assertThat(engine.verify(ALL_AT_ONCE.repair(true)).findings())
                .extracting(Finding::repair)
                .containsExactly(Repair.LEFT_TO_WORKERS);
        engine.fanout().drain();
        assertClean();
    }
}
