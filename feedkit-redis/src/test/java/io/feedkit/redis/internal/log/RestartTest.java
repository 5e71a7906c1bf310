package io.feedkit.redis.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.outbox.TestOutbox;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.QueueStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Finished tasks")
class RestartTest {

    private static final long LEASE = Duration.ofDays(1).toMillis();
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TestOutbox truth = new TestOutbox();
    private final FanoutLog log = truth.outbox().fanout();
    private final AtomicInteger published = new AtomicInteger();

    @AfterEach
    void close() {
        truth.close();
    }

    private List<Claim> claimNew(int count) {
        truth.publish(IntStream.range(0, count)
                .mapToObj(n -> Post.of("bob", "p" + published.incrementAndGet(), 1))
                .toList());
        return log.claim(count, LEASE);
    }

    private long kept() {
        return TestOutbox.commands().llen(truth.ofPartition("done", Keys.partition("bob")));
    }

    @Test
    @Timeout(60)
    @DisplayName("are restarted for the later of two losses that are restarted at once, and both calls return")
    void twoLosses() {
        log.finish(claimNew(2000), LEASE);
        for (long loss = 1; loss < 20; loss += 2) {
            long earlier = loss;
            CompletableFuture<?> other = CompletableFuture.runAsync(() -> log.restart(earlier, 0));
            log.restart(loss + 1, 0);
            other.join();
            assertThat(log.restart(loss, 0)).isEmpty();
            assertThat(log.restart(loss + 1, 0)).isEmpty();
        }
    }

    @Test
    @DisplayName("are restarted by the hundreds, those since a time and no others, each once")
    void hundreds() {
        log.finish(claimNew(130), LEASE);
        truth.clock().advance(SECOND);
        long since = truth.clock().millis();
        List<Claim> later = claimNew(270);
        log.finish(later, LEASE);
        assertThat(log.restart(0, since)).hasValue(270);
        assertThat(log.restart(0, since)).hasValue(0);
        assertThat(log.claim(1000, LEASE))
                .extracting(claim -> claim.task().id())
                .containsExactlyInAnyOrderElementsOf(
                        later.stream().map(claim -> claim.task().id()).toList());
        assertThat(log.restart(0, 0)).hasValue(130);
    }

    @Test
    @DisplayName("can be restarted again after they were finished again, among others")
    void again() {
        log.finish(claimNew(150), LEASE);
        assertThat(log.restart(0, 0)).hasValue(150);
        List<Claim> claims = log.claim(150, LEASE);
        truth.clock().advance(SECOND);
        long since = truth.clock().millis();
        log.finish(claims, LEASE);
        log.finish(claimNew(5), LEASE);
        assertThat(log.restart(0, since)).hasValue(155);
        assertThat(log.queueStatus().unfinished()).isEqualTo(155);
    }

    @Test
    @DisplayName("are forgotten when others finish, two for each of them, whether they were restarted or not")
    void forgotten() {
        log.finish(claimNew(40), SECOND.toMillis());
        assertThat(log.restart(0, 0)).hasValue(40);
        List<Claim> claims = log.claim(40, LEASE);
        log.finish(claims.subList(0, 20), SECOND.toMillis());
        assertThat(kept()).isEqualTo(20);
        truth.clock().advance(SECOND);
        log.finish(claims.subList(20, 25), LEASE);
        assertThat(kept()).isEqualTo(15);
        log.finish(claims.subList(25, 40), LEASE);
        assertThat(kept()).isEqualTo(20);
        assertThat(log.restart(0, 0)).hasValue(20);
    }

    @Test
    @DisplayName("are not restarted when their time is up, though nobody has forgotten them")
    void over() {
        log.finish(claimNew(3), SECOND.toMillis());
        log.finish(claimNew(4), LEASE);
        truth.clock().advance(SECOND);
        assertThat(kept()).isEqualTo(7);
        assertThat(log.restart(0, 0)).hasValue(4);
    }

    @Test
    @DisplayName("are restarted, finished and forgotten at once, and none is lost or done by two")
    void race() {
        log.finish(claimNew(600), LEASE);
        AtomicInteger restarted = new AtomicInteger();
        List<CompletableFuture<Void>> racing = List.of(
                CompletableFuture.runAsync(() -> IntStream.range(0, 8)
                        .forEach(n -> restarted.addAndGet(log.restart(0, 0).orElseThrow()))),
                CompletableFuture.runAsync(() ->
                        IntStream.range(0, 60).forEach(n -> log.finish(log.claim(40, LEASE), LEASE))),
                CompletableFuture.runAsync(() ->
                        IntStream.range(0, 60).forEach(n -> log.finish(log.claim(7, LEASE), LEASE))));
        racing.forEach(CompletableFuture::join);
        assertThat(restarted).hasValueGreaterThanOrEqualTo(600);
        List<Claim> rest = log.claim(1000, LEASE);
        assertThat(log.finish(rest, LEASE)).hasSize(rest.size()).doesNotContain(false);
        assertThat(log.queueStatus()).isEqualTo(new QueueStatus(0, 0, 0, 0));
        assertThat(log.restart(0, 0)).hasValue(600);
        assertThat(log.claim(1000, LEASE))
                .extracting(claim -> claim.task().id())
                .hasSize(600)
                .doesNotHaveDuplicates();
    }
}
