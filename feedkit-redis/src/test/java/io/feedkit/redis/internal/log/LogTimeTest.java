package io.feedkit.redis.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.redis.internal.outbox.TestOutbox;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister.Entry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The time of a log")
class LogTimeTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final long LEASE = HOUR.toMillis();

    private final TestOutbox truth = new TestOutbox();
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
        assertThat(log.restart(0, mark)).hasValue(2);
    }

    @Test
    @DisplayName("lets tasks take turns also while the clock is behind it")
    void turnsWhileBehind() {
        truth.clock().advance(HOUR);
        List<String> authors = TestOutbox.authorsIn(5, 2);
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
    @DisplayName("gives turns and ids that only rise, also where the server's clock falls")
    void turnsRise() {
        List<String> authors = TestOutbox.authorsIn(5, 2);
        long ahead = System.currentTimeMillis() * 1000 + HOUR.toNanos();
        byte[] header = ByteBuffer.allocate(15)
                .put((byte) 1)
                .put(new byte[6])
                .putLong(ahead)
                .array();
        TestOutbox.bytes().set(truth.ofPartition("log", 5).getBytes(StandardCharsets.US_ASCII), header);
        publish(authors.get(0), 1);
        publish(authors.get(1), 1);
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < 8; n++) {
            List<Claim> claims = log.claim(1, LEASE);
            assertThat(claims).extracting(claim -> claim.task().author()).containsExactly(authors.get(n % 2));
            if (n < 4) {
                log.release(
                        claims.stream().map(claim -> new Release(claim, "", 0)).toList());
            } else {
                log.fail(claims.stream().map(claim -> new Failure(claim, "", 0)).toList());
            }
            ids.add(claims.get(0).task().id());
        }
        assertThat(ids.subList(0, 2)).isSorted().doesNotHaveDuplicates();
        assertThat(ids.get(0)).isGreaterThan("5" + HexFormat.of().toHexDigits(ahead, 13));
        assertThat(log.split(log.claim(1, LEASE).get(0), List.of(KeyRange.ALL, KeyRange.ALL)))
                .isTrue();
        publish(authors.get(0), 2);
        assertThat(log.claim(9, LEASE)).hasSize(4);
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
    @DisplayName("ends a lease, also while nobody else takes the task")
    void endsLeases() {
        for (int n = 0; n < 2; n++) {
            publish("bob", n);
        }
        List<Claim> claims = log.claim(2, 1000);
        truth.clock().advance(Duration.ofMillis(999));
        assertThat(log.finish(claims.subList(0, 1), LEASE)).containsExactly(true);
        truth.clock().advance(Duration.ofMillis(1));
        assertThat(log.finish(claims, LEASE)).containsExactly(false, false);
        assertThat(log.checkpoint(List.of(new Progress(claims.get(1), "ann")), LEASE))
                .containsExactly(false);
        assertThat(log.claim(5, LEASE))
                .extracting(claim -> claim.task().attempts())
                .containsExactly(1);
    }

    @Test
    @DisplayName("ends no lease that was given up")
    void givenUp() {
        for (int n = 0; n < 3; n++) {
            publish("bob", n);
        }
        outbox.delete(List.of(new PostKey("bob", "p0")));
        log.fail(log.claim(4, LEASE).stream()
                .map(claim -> new Failure(claim, "", 0))
                .toList());
        List<Claim> claims = log.claim(4, 1000);
        Claim retraction = claims.get(3);
        assertThat(retraction.task().attempts()).isEqualTo(1);
        log.release(List.of(new Release(claims.get(0), "", 0)));
        log.fail(List.of(new Failure(claims.get(1), "", 0)));
        log.checkpoint(List.of(new Progress(claims.get(2), "")), 2 * LEASE);
        assertThat(log.retractLater(retraction, 0)).isTrue();
        assertThat(log.claim(5, 2 * LEASE))
                .extracting(claim -> claim.task().attempts())
                .containsExactly(0, 2, 0);
        truth.clock().advance(HOUR);
        assertThat(log.claim(5, LEASE)).isEmpty();
    }

    @Test
    @DisplayName("waits for a catch-up, be it fresh, claimed or split")
    void catchUps() {
        Position position = new Position(1, "1", "bob");
        assertThat(log.catchUp("bob", new Entry(position, position, 7))).isTrue();
        long created = truth.clock().millis();
        truth.clock().advance(HOUR);
        assertThat(outbox.settledMark()).isEqualTo(created);
        Claim claim = log.claim(1, LEASE).get(0);
        assertThat(outbox.settledMark()).isEqualTo(created);
        assertThat(log.split(claim, List.of(new KeyRange("", "m"), new KeyRange("m", KeyRange.END))))
                .isTrue();
        assertThat(outbox.settledMark()).isEqualTo(created);
        settle();
        assertThat(outbox.settledMark()).isEqualTo(truth.clock().millis());
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
        assertThat(log.invisibleSince()).isEqualTo(created);
        log.claim(249, LEASE);
        assertThat(outbox.settledMark()).isEqualTo(created);
        log.claim(2, LEASE);
        assertThat(outbox.settledMark()).isEqualTo(created);
        assertThat(log.invisibleSince()).isEqualTo(created);
        assertThat(log.queueStatus()).isEqualTo(new FanoutLog.QueueStatus(252, 0, 0, 0));
    }

    @Test
    @DisplayName("of the oldest open task is exact, however many others are in front of it")
    void behindVeryManySlowTasks() {
        truth.publish(
                IntStream.range(0, 1100)
                        .mapToObj(n -> Post.of("bob", "a" + n, n))
                        .toList(),
                FanoutMode.PUSH_ACTIVE);
        assertThat(log.invisibleSince()).isZero();
        truth.clock().advance(HOUR);
        publish("bob", 1);
        assertThat(outbox.settledMark()).isEqualTo(truth.clock().millis());
        assertThat(log.invisibleSince()).isEqualTo(truth.clock().millis());
    }

    @Test
    @DisplayName("is the clock's where nothing was ever recorded")
    void empty() {
        truth.clock().set(Instant.ofEpochMilli(12_345));
        assertThat(outbox.settledMark()).isEqualTo(12_345);
        assertThat(log.claim(5, LEASE)).isEmpty();
        assertThat(log.queueStatus().unfinished()).isZero();
    }
}
