package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.store.Maintenance;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.Rankers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.slf4j.LoggerFactory;

class StoreMaintenanceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("expired inboxes, finished tasks and expired orders of ranked feeds are removed up to the limit")
    void purge(Kind kind) {
        try (TestDatabase database = TestDatabase.of(kind);
                JdbcFeedStore store = database.store();
                FeedEngine feed = FeedEngine.builder(store)
                        .clock(database.clock())
                        .workers(0)
                        .build()) {
            for (int i = 0; i < 5; i++) {
                feed.follow("reader-" + i, "bob");
                feed.read("reader-" + i, PageRequest.first(10));
                feed.publish("bob", "earlier-" + i);
                feed.publish("bob", "post-" + i);
            }
            feed.fanout().drain();
            for (int i = 0; i < 5; i++) {
                feed.ranked("reader-" + i, RankRequest.top(10, 1), Rankers.newest());
            }
            assertThat(rows(database.database(), "rank_snapshot")).isEqualTo(5);
            assertThat(store.purge(100)).as("nothing has expired").isZero();
            database.clock().advance(Duration.ofDays(30));
            assertThat(store.purge(1)).isBetween(1, 3);
            assertThat(store.purge(100)).isPositive();
            assertThat(store.purge(100)).isZero();
            assertThat(rows(database.database(), "inbox_entry")).isZero();
            assertThat(rows(database.database(), "task")).isZero();
            assertThat(rows(database.database(), "rank_snapshot")).isZero();
            assertThat(rows(database.database(), "post")).isEqualTo(10);
            assertThat(feed.read("reader-1", PageRequest.first(10)).items()).hasSize(10);
        }
    }

    private static long rows(Database database, String table) {
        return database.read(
                "test",
                handle -> handle.createQuery(database.sql("SELECT count(*) FROM ${" + table + "}"))
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    @Tag("once")
    @DisplayName("jobs run by themselves; a failed job runs again, stops no other job, and warns once")
    void failures() {
        Logger logger = (Logger) LoggerFactory.getLogger(Maintenance.class);
        ListAppender<ILoggingEvent> events = new ListAppender<>();
        events.start();
        logger.addAppender(events);
        logger.setAdditive(false);
        AtomicInteger failed = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        try (Maintenance maintenance = new Maintenance(
                List.of(
                        new Maintenance.Named("bad", limit -> {
                            failed.incrementAndGet();
                            throw new IllegalStateException("no");
                        }),
                        new Maintenance.Named("good", limit -> {
                            ran.incrementAndGet();
                            return 0;
                        })),
                Duration.ofMillis(5),
                PATIENCE)) {
            assertThat(maintenance).isNotNull();
            await().untilAsserted(() -> {
                assertThat(failed).hasValueGreaterThan(3);
                assertThat(ran).hasValueGreaterThan(3);
            });
        } finally {
            logger.detachAppender(events);
            logger.setAdditive(true);
        }
        assertThat(events.list.stream().filter(event -> event.getLevel() == Level.WARN))
                .hasSize(1);
    }

    @Test
    @Tag("once")
    @DisplayName("a job with more rows than the limit of a run continues at once, in turns with other jobs")
    void backlog() {
        AtomicInteger left = new AtomicInteger(200_000);
        AtomicInteger others = new AtomicInteger();
        try (Maintenance maintenance = new Maintenance(
                List.of(
                        new Maintenance.Named("behind", limit -> {
                            left.addAndGet(-limit);
                            return limit;
                        }),
                        new Maintenance.Named("other", limit -> {
                            others.incrementAndGet();
                            return 0;
                        })),
                Duration.ofSeconds(1),
                PATIENCE)) {
            assertThat(maintenance).isNotNull();
            await().atMost(Duration.ofSeconds(6)).untilAsserted(() -> {
                assertThat(left).hasValueLessThanOrEqualTo(0);
                assertThat(others).hasValueGreaterThan(1);
            });
        }
    }

    @Test
    @Tag("once")
    @DisplayName("an error in a job does not end the schedule")
    void errors() {
        AtomicInteger failed = new AtomicInteger();
        try (Maintenance maintenance = new Maintenance(
                List.of(new Maintenance.Named("worse", limit -> {
                    failed.incrementAndGet();
                    throw new StackOverflowError("deep");
                })),
                Duration.ofMillis(5),
                PATIENCE)) {
            assertThat(maintenance).isNotNull();
            await().untilAsserted(() -> assertThat(failed).hasValueGreaterThan(3));
        }
    }

    @Test
    @Tag("once")
    @DisplayName("a job removes batches until it has no more rows or reaches the limit")
    void batches() {
        AtomicInteger left = new AtomicInteger(1_234);
        try (Maintenance maintenance = new Maintenance(
                List.of(new Maintenance.Named("job", limit -> {
                    int removed = Math.min(limit, left.get());
                    assertThat(limit).isLessThanOrEqualTo(500);
                    left.addAndGet(-removed);
                    return removed;
                })),
                Duration.ZERO,
                PATIENCE)) {
            assertThat(maintenance.purge(1_000)).isEqualTo(1_000);
            assertThat(maintenance.purge(1_000)).isEqualTo(234);
            assertThat(maintenance.purge(1_000)).isZero();
        }
    }
}
