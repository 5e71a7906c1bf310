package io.feedkit.redis.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.redis.internal.outbox.TestTruth;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Outbox;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The time of a log")
class LogTimeTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final long LEASE = HOUR.toMillis();

    private final TestTruth truth = new TestTruth();
    private final Outbox outbox = truth.outbox();
    private final FanoutLog log = outbox.fanout();

    @AfterEach
    void close() {
        truth.close();
    }

    private void publish(String author, int n) {
        truth.publish(List.of(Post.of(author, "p" + n, n)));
    }

    private void settle() {
        log.finish(log.claim(1000, LEASE), LEASE);
    }

    @Test
    @DisplayName("does not fall with the clock: nothing is recorded before a mark, and work goes on")
    void setBack() {
        publish("bob", 1);
        settle();
        truth.clock().advance(HOUR);
        long mark = outbox.settledMark();
        assertThat(mark).isEqualTo(truth.clock().millis());
        truth.clock().advance(HOUR.negated());
        publish("bob", 2);
        publish("amy", 1);
        List<Claim> claims = log.claim(10, LEASE);
        assertThat(claims)
                .extracting(Claim::task)
                .extracting(Task::created)
                .hasSize(2)
                .containsOnly(mark);
        assertThat(outbox.lastAppended(List.of("bob", "amy")).values()).containsOnly(mark);
        assertThat(outbox.settledMark()).isEqualTo(mark);
        assertThat(log.finish(claims, LEASE)).containsOnly(true);
        assertThat(log.reopen(mark)).isEqualTo(2);
    }

    @Test
    @DisplayName("lets tasks take turns also while the clock is behind it")
    void turnsWhileBehind() {
        truth.clock().advance(HOUR);
        List<String> authors = TestTruth.authorsIn(5, 2);
        publish(authors.get(0), 1);
        publish(authors.get(1), 1);
        truth.clock().advance(HOUR.negated());
        for (int n = 0; n < 6; n++) {
            List<Claim> claims = log.claim(1, LEASE);
            assertThat(claims).extracting(claim -> claim.task().author()).containsExactly(authors.get(n % 2));
            log.release(claims.stream().map(claim -> new Release(claim, "", 0)).toList());
        }
    }

    @Test
    @DisplayName("is kept with a mark, but not at every look")
    void marks() {
        long first = outbox.settledMark();
        truth.clock().advance(Duration.ofMillis(99));
        assertThat(outbox.settledMark()).isEqualTo(first);
        truth.clock().advance(Duration.ofMillis(1));
        assertThat(outbox.settledMark()).isEqualTo(first + 100);
    }

    @Test
    @DisplayName("of the oldest open task is found behind active pushes and retractions, claimed or not")
    void behindSlowTasks() {
        truth.publish(
                IntStream.range(0, 250)
                        .mapToObj(n -> Post.of("bob", "a" + n, n))
                        .toList(),
                FanoutMode.PUSH_ACTIVE);
        truth.clock().advance(HOUR);
        publish("bob", 1);
        long created = truth.clock().millis();
        truth.clock().advance(HOUR);
        publish("bob", 2);
        assertThat(outbox.settledMark()).isEqualTo(created);
        assertThat(log.depth().oldestCreated()).isEqualTo(created);
        log.claim(249, LEASE);
        assertThat(outbox.settledMark()).isEqualTo(created);
        log.claim(2, LEASE);
        assertThat(outbox.settledMark()).isEqualTo(created);
        assertThat(log.depth()).isEqualTo(new FanoutLog.Depth(252, created, 0));
    }

    @Test
    @DisplayName("of the oldest open task is answered no later than it is, however many others are in front of it")
    void behindVeryManySlowTasks() {
        truth.publish(
                IntStream.range(0, 1100)
                        .mapToObj(n -> Post.of("bob", "a" + n, n))
                        .toList(),
                FanoutMode.PUSH_ACTIVE);
        long slow = truth.clock().millis();
        truth.clock().advance(HOUR);
        publish("bob", 1);
        assertThat(outbox.settledMark()).isEqualTo(slow);
        assertThat(log.depth().oldestCreated()).isEqualTo(slow);
    }

    @Test
    @DisplayName("is the clock's where nothing was ever recorded")
    void empty() {
        truth.clock().set(Instant.ofEpochMilli(12_345));
        assertThat(outbox.settledMark()).isEqualTo(12_345);
        assertThat(log.claim(5, LEASE)).isEmpty();
        assertThat(log.depth().unfinished()).isZero();
    }
}
