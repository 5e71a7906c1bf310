package io.feedkit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.testkit.fault.Fault;
import io.feedkit.testkit.fault.StoreCall;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("The gauges of an engine")
class EngineGaugesTest {

    private static final String BACKLOG = "fanout.queueStatus";
    private static final String CHECK = "seenMarks.lastSeen";

    private final MockClock meterClock = new MockClock();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), meterClock);
    private final MeasuredFeed feed = new MeasuredFeed(registry, meterClock);
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger backlogCalls = new AtomicInteger();
    private final AtomicInteger checks = new AtomicInteger();

    EngineGaugesTest() {
        count();
    }

    private static Predicate<StoreCall> is(String operation) {
        return call -> call.operation().equals(operation);
    }

    private void count() {
        feed.store.onCall(is(BACKLOG), call -> backlogCalls.incrementAndGet());
        feed.store.onCall(is(CHECK), call -> checks.incrementAndGet());
    }

    @AfterEach
    void close() {
        release.countDown();
        feed.close();
    }

    private double value(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    private double seconds(String name, String... tags) {
        return registry.get(name).tags(tags).timeGauge().value(TimeUnit.SECONDS);
    }

    private void nextInterval() {
        meterClock.add(FeedMetrics.DEFAULT_REFRESH_INTERVAL);
    }

    private void hang(String operation) {
        feed.store.onCall(is(operation), call -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    @DisplayName("show the backlog, its age, and dead letters")
    void backlog() {
        feed.engine.follow("user-ann", "user-bob");
        feed.publish("user-bob");
        feed.clock.advance(Duration.ofSeconds(70));
        assertThat(value("feedkit.backlog.tasks", "state", "due")).isEqualTo(1);
        assertThat(value("feedkit.backlog.tasks", "state", "deferred")).isZero();
        assertThat(value("feedkit.backlog.kind.tasks", "kind", "push")).isEqualTo(1);
        assertThat(value("feedkit.backlog.kind.tasks", "kind", "retract")).isZero();
        assertThat(value("feedkit.backlog.lent.tasks")).isZero();
        assertThat(seconds("feedkit.backlog.age")).isEqualTo(70);
        assertThat(value("feedkit.dead.letters")).isZero();

        feed.engine.fanout().drain();
        feed.failPush();
        assertThat(value("feedkit.backlog.tasks", "state", "due")).isZero();
        assertThat(seconds("feedkit.backlog.age")).isZero();
        assertThat(value("feedkit.dead.letters")).isEqualTo(1);
    }

    @Test
    @DisplayName("show which parts of the store answer, and how fast")
    void store() {
        assertThat(value("feedkit.store.up", "part", "inbox")).isOne();
        assertThat(seconds("feedkit.store.latency", "part", "inbox")).isPositive();
        feed.store.fail(call -> call.operation().startsWith("inbox."), Fault.FAIL_BEFORE);
        nextInterval();
        assertThat(value("feedkit.store.up", "part", "inbox")).isZero();
        assertThat(value("feedkit.store.up", "part", "outbox")).isOne();
        assertThat(value("feedkit.store.up", "part", "follow_graph")).isOne();
        assertThat(value("feedkit.store.up", "part", "seen_marks")).isOne();
    }

    @Test
    @DisplayName("show the live subscribers")
    void subscribers() {
        assertThat(value("feedkit.live.subscribers")).isZero();
        feed.subscribe("user-ann");
        feed.subscribe("user-ann");
        feed.subscribe("user-cid");
        assertThat(value("feedkit.live.subscribers")).isEqualTo(3);
    }

    @Test
    @DisplayName("call the store once in an interval, however many gauges are read and however often")
    void onceInAnInterval() {
        for (int i = 0; i < 5; i++) {
            assertThat(registry.scrape()).contains("feedkit_backlog_tasks{state=\"due\"} 0.0");
        }
        assertThat(backlogCalls).hasValue(1);
        assertThat(checks).hasValue(1);
        meterClock.add(FeedMetrics.DEFAULT_REFRESH_INTERVAL.minusMillis(1));
        registry.scrape();
        assertThat(backlogCalls).hasValue(1);
        meterClock.add(Duration.ofMillis(1));
        registry.scrape();
        assertThat(backlogCalls).hasValue(2);
        assertThat(checks).hasValue(2);
    }

    @Test
    @DisplayName("call the store only if they are read")
    void onlyIfRead() {
        feed.publish("user-bob");
        feed.engine.fanout().drain();
        meterClock.add(Duration.ofHours(1));
        assertThat(value("feedkit.live.subscribers")).isZero();
        assertThat(backlogCalls).hasValue(0);
        assertThat(checks).hasValue(0);
    }

    @Test
    @DisplayName("are not a number after the engine was closed")
    void closedEngine() {
        assertThat(value("feedkit.dead.letters")).isZero();
        assertThat(value("feedkit.store.up", "part", "outbox")).isOne();
        feed.engine.close();
        nextInterval();
        assertThat(value("feedkit.dead.letters")).isNaN();
        assertThat(value("feedkit.store.up", "part", "outbox")).isNaN();
        assertThat(value("feedkit.live.subscribers")).isNaN();
        assertThat(registry.scrape()).contains("feedkit_dead_letters NaN");
    }

    @Nested
    @DisplayName("If the store hangs")
    class HangingStore {

        @Test
        @DisplayName("a scrape waits about a second, and the next ones do not wait and do not call again")
        void scrape() {
            hang(BACKLOG);
            hang(CHECK);
            long begin = System.nanoTime();
            assertThat(registry.scrape()).contains("feedkit_backlog_tasks{state=\"due\"} NaN");
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(Duration.ofMillis(900), Duration.ofSeconds(10));

            nextInterval();
            long again = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                assertThat(value("feedkit.backlog.tasks", "state", "due")).isNaN();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - again)).isLessThan(Duration.ofMillis(900));
            assertThat(backlogCalls).hasValue(1);
            assertThat(threads("feedkit-metrics-backlog")).isEqualTo(1);
        }

        @Test
        @DisplayName("the last answer is given for two minutes, and its age grows")
        void lastAnswer() {
            feed.engine.follow("user-ann", "user-bob");
            feed.publish("user-bob");
            assertThat(value("feedkit.backlog.tasks", "state", "due")).isEqualTo(1);
            hang(BACKLOG);
            meterClock.add(Duration.ofMinutes(2));
            assertThat(value("feedkit.backlog.tasks", "state", "due")).isEqualTo(1);
            assertThat(seconds("feedkit.backlog.sample.age")).isEqualTo(120);
            meterClock.add(Duration.ofSeconds(1));
            assertThat(value("feedkit.backlog.tasks", "state", "due")).isNaN();
            assertThat(seconds("feedkit.backlog.sample.age")).isEqualTo(121);
        }

        @Test
        @DisplayName("a part that hangs is down after two seconds, and the backlog is known all the same")
        void oneHangs() {
            hang(CHECK);
            assertThat(value("feedkit.dead.letters")).isZero();
            await().until(() -> value("feedkit.store.up", "part", "seen_marks") == 0);
            assertThat(value("feedkit.store.up", "part", "outbox")).isOne();
        }

        @Test
        @DisplayName("the gauges return when the store does")
        void recovery() {
            hang(BACKLOG);
            assertThat(value("feedkit.dead.letters")).isNaN();
            release.countDown();
            await().until(() -> value("feedkit.dead.letters") == 0);
            await().until(() -> threads("feedkit-metrics-backlog") == 0);
        }

        @Test
        @DisplayName("an interrupted thread does not wait, and stays interrupted")
        void interrupted() {
            hang(BACKLOG);
            Thread.currentThread().interrupt();
            assertThat(value("feedkit.dead.letters")).isNaN();
            assertThat(Thread.interrupted()).isTrue();
        }

        private long threads(String name) {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals(name))
                    .count();
        }
    }

    @Test
    @DisplayName("call a store that fails no more often than one that answers")
    void failingStore() {
        feed.store.fail(is(BACKLOG), Fault.FAIL_BEFORE);
        for (int i = 0; i < 5; i++) {
            assertThat(value("feedkit.dead.letters")).isNaN();
        }
        assertThat(backlogCalls).hasValue(1);
        meterClock.add(Duration.ofMinutes(3));
        assertThat(seconds("feedkit.backlog.sample.age")).isEqualTo(180);
        assertThat(backlogCalls).hasValue(2);
        feed.store.heal();
        nextInterval();
        assertThat(value("feedkit.dead.letters")).isZero();
        assertThat(seconds("feedkit.backlog.sample.age")).isZero();
    }
}
