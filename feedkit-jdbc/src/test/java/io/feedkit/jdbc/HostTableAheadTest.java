package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Published.Status;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Outbox.Counted;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.SettableClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("A row of a host's table that is dated ahead")
class HostTableAheadTest {

    private static final Duration A_DAY = Duration.ofDays(1);
    private static final InboxLimits LIMITS =
            new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());

    private final TestDatabase database;
    private final HostTable table;
    private final JdbcFeedStore store;
    private final List<FeedEngine> engines = new ArrayList<>();
    private final Instant begin;
    private final Post present;
    private final Post scheduled;

    HostTableAheadTest(Kind kind) {
        database = TestDatabase.of(kind);
        table = HostTable.create(database, kind);
        store = JdbcFeedStore.builder(database.dataSource())
                .posts(HostTable.MAPPING)
                .clock(database.clock())
                .maintenanceInterval(Duration.ZERO)
                .build();
        begin = database.clock().instant();
        present = new Post("bob", "present", begin);
        scheduled = new Post("bob", "scheduled", begin.plus(A_DAY));
        table.insert(present, scheduled);
    }

    @AfterEach
    void close() {
        engines.forEach(FeedEngine::close);
        store.close();
        database.close();
    }

    private FeedEngine engine(FanoutMode mode, SettableClock clock) {
        FeedEngine engine = FeedEngine.builder(store)
                .policy(status -> mode)
                .clock(clock)
                .ownPosts(true)
                .workers(0)
                .build();
        engines.add(engine);
        return engine;
    }

    private FeedEngine neverReconciling() {
        FeedEngine engine = FeedEngine.builder(store)
                .clock(database.clock())
                .reading(reading -> reading.reconcileInterval(Duration.ofDays(30)))
                .workers(0)
                .build();
        engines.add(engine);
        return engine;
    }

    private FeedEngine engine(FanoutMode mode) {
        return engine(mode, database.clock());
    }

    /** Lets a reader of the author, and the author, have live inboxes. */
    private void open(FeedEngine feed) {
        feed.follow("ann", "bob");
        feed.follow("bob", "ann");
        assertThat(feed(feed, "ann")).containsExactly(present);
        assertThat(feed(feed, "bob")).containsExactly(present);
    }

    private static List<Post> feed(FeedEngine feed, String reader) {
        return feed.read(reader, PageRequest.first(10)).items();
    }

    /**
     * Checks that each path shows the same feed: a live inbox, a new one, one filled after a follow, and pages of
     * posts.
     */
    private void assertShown(FeedEngine feed, String stranger, Post... expected) {
        feed.fanout().drain();
        assertThat(feed(feed, "ann")).as("live").containsExactly(expected);
        assertThat(feed(feed, "bob")).as("the author's own feed").containsExactly(expected);
        assertThat(feed.readAuthor("bob", PageRequest.first(10)).items())
                .as("author")
                .containsExactly(expected);
        feed.refresh("ann");
        assertThat(feed(feed, "ann")).as("refreshed").containsExactly(expected);
        feed.follow(stranger + "-new", "bob");
        assertThat(feed(feed, stranger + "-new")).as("built").containsExactly(expected);
        assertThat(feed(feed, stranger)).isEmpty();
        feed.follow(stranger, "bob");
        assertThat(feed(feed, stranger)).as("filled").containsExactly(expected);
        feed.rebuild(stranger);
        assertThat(feed(feed, stranger)).as("rebuilt").containsExactly(expected);
        assertThat(feed.unread("ann").count()).as("unread").isEqualTo(expected.length);
        assertThat(store.outbox().newest(List.of("bob"), PositionRange.ALL, 10)).containsExactly(List.of(expected));
        assertThat(store.outbox().page(new PageQuery(Set.of("bob"), PositionRange.ALL, Order.NEWEST_FIRST, 10)))
                .containsExactly(expected);
        assertThat(store.outbox().count(List.of(new CountQuery(Set.of("bob"), PositionRange.ALL, 10))))
                .extracting(Counted::above)
                .containsExactly(expected.length);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("is not there before its time, and everywhere from then on")
    void scheduled(FanoutMode mode) {
        FeedEngine feed = engine(mode);
        open(feed);
        assertThat(feed.publishAll(List.of(present, scheduled)))
                .extracting(published -> published.status())
                .containsExactly(Status.NEW, Status.NEW);
        assertThat(feed.publish(scheduled).status()).isEqualTo(Status.SAME);

        assertShown(feed, "cid", present);
        database.clock().set(scheduled.publishedAt().minusMillis(1));
        assertShown(feed, "dan", present);
        assertThat(feed.fanout().backlog().age()).isZero();
        database.clock().set(scheduled.publishedAt());
        assertShown(feed, "eve", scheduled, present);
        assertThat(feed.fanout().backlog().due()).isZero();
    }

    @Test
    @DisplayName("shows by the database's clock, whatever the engines' clocks are")
    void clocks() {
        FeedEngine ahead = engine(FanoutMode.PUSH, SettableClock.startingAt(begin.plus(Duration.ofDays(2))));
        FeedEngine behind = engine(FanoutMode.PULL, SettableClock.startingAt(begin.minus(Duration.ofDays(2))));
        open(ahead);
        assertThat(ahead.publish(scheduled).status()).isEqualTo(Status.NEW);
        assertThat(behind.publish(present).status()).isEqualTo(Status.NEW);
        for (FeedEngine engine : engines) {
            engine.fanout().drain();
            assertThat(feed(engine, "ann")).containsExactly(present);
            assertThat(feed(engine, "bob")).containsExactly(present);
        }
        database.clock().set(scheduled.publishedAt());
        ahead.fanout().drain();
        for (FeedEngine engine : engines) {
            assertThat(feed(engine, "ann")).containsExactly(scheduled, present);
            assertThat(feed(engine, "bob")).containsExactly(scheduled, present);
        }
    }

    @Test
    @DisplayName("comes once to readers who poll, and hides nothing that is published before")
    void polling() {
        FeedEngine feed = engine(FanoutMode.PUSH);
        open(feed);
        feed.publishAll(List.of(present, scheduled));
        FeedPage<Post> page = feed.read("ann", PageRequest.first(10));
        Post between = new Post("bob", "between", begin.plusSeconds(60));
        table.insert(between);
        database.clock().set(between.publishedAt());
        feed.publish(between);
        feed.fanout().drain();
        page = feed.read("ann", PageRequest.newer(page.newer(), 10));
        assertThat(page.items()).containsExactly(between);
        feed.markSeen("ann", page.newer());
        assertThat(feed.unread("ann").count()).isZero();
        database.clock().set(scheduled.publishedAt());
        feed.fanout().drain();
        assertThat(feed.unread("ann").count()).isOne();
        page = feed.read("ann", PageRequest.newer(page.newer(), 10));
        assertThat(page.items()).containsExactly(scheduled);
        assertThat(feed.read("ann", PageRequest.newer(page.newer(), 10)).items())
                .isEmpty();
    }

    @Test
    @DisplayName("does not count as appended before its time, so its author's other posts are not taken for new ones")
    void lastAppended() {
        FeedEngine feed = engine(FanoutMode.PUSH);
        open(feed);
        feed.publish(scheduled);
        assertThat(store.outbox().lastAppended(List.of("bob"))).isEmpty();
        database.clock().advance(Duration.ofMinutes(1));
        long appended = database.clock().millis();
        feed.publish(present);
        assertThat(store.outbox().lastAppended(List.of("bob"))).containsExactly(Map.entry("bob", appended));
        database.clock().set(scheduled.publishedAt());
        assertThat(store.outbox().lastAppended(List.of("bob")))
                .containsExactly(Map.entry("bob", scheduled.publishedAt().toEpochMilli()));
        assertThat(store.outbox().settledMark())
                .isLessThanOrEqualTo(scheduled.publishedAt().toEpochMilli());
    }

    @Test
    @DisplayName("is history at its time, if it was never published; a later publish delivers it")
    void neverPublished() {
        FeedEngine feed = neverReconciling();
        feed.follow("ann", "bob");
        assertThat(feed(feed, "ann")).containsExactly(present);
        database.clock().set(scheduled.publishedAt());
        feed.follow("cid", "bob");
        assertThat(feed(feed, "cid")).containsExactly(scheduled, present);
        assertThat(feed.readAuthor("bob", PageRequest.first(10)).items()).containsExactly(scheduled, present);
        assertThat(feed(feed, "ann")).containsExactly(present);
        assertThat(feed.publish(scheduled).status()).isEqualTo(Status.NEW);
        feed.fanout().drain();
        assertThat(feed(feed, "ann")).containsExactly(scheduled, present);
    }

    @Test
    @DisplayName("may be published in a transaction of the host")
    void transaction() throws SQLException {
        FeedEngine feed = engine(FanoutMode.PUSH);
        open(feed);
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            feed.publish(scheduled, JdbcTransaction.of(connection));
            connection.commit();
        }
        assertShown(feed, "cid", present);
        database.clock().set(scheduled.publishedAt());
        assertShown(feed, "dan", scheduled, present);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("never shows if it is deleted before its time")
    void deleted(FanoutMode mode) {
        FeedEngine feed = engine(mode);
        open(feed);
        feed.publish(scheduled);
        assertThat(feed.delete("bob", "scheduled")).isTrue();
        feed.fanout().drain();
        database.clock().advance(Duration.ofHours(1));
        assertShown(feed, "cid", present);
        database.clock().set(scheduled.publishedAt());
        List<Claim> due = store.outbox().fanout().claim(10, 1);
        assertThat(due).extracting(claim -> claim.task().post()).contains(scheduled);
        assertShown(feed, "dan", present);
        database.clock().advance(Duration.ofSeconds(1));
        assertShown(feed, "eve", present);
        assertThat(feed.fanout().backlog().tasks()).isZero();
    }

    @Test
    @DisplayName("is not delivered early because other tasks begin again, or no longer wait")
    void wakeUps() {
        FeedEngine feed = engine(FanoutMode.PUSH);
        open(feed);
        feed.publish(scheduled);
        store.outbox().fanout().restart(1, 0);
        assertThat(store.outbox().fanout().hasten(100)).isZero();
        assertThat(store.outbox().fanout().claim(10, 1000)).isEmpty();
        database.clock().set(scheduled.publishedAt());
        assertThat(store.outbox().fanout().claim(10, 1000)).hasSize(1);
    }

    @Test
    @DisplayName("holds back no mark, and is passed by none: a delivery that was lost is found again")
    void mark() {
        FeedEngine feed = engine(FanoutMode.PUSH);
        open(feed);
        feed.publishAll(List.of(present, scheduled));
        feed.fanout().drain();
        database.clock().set(scheduled.publishedAt().minusSeconds(10));
        assertThat(store.outbox().settledMark())
                .isGreaterThan(scheduled.publishedAt().minusSeconds(20).toEpochMilli());
        feed.refresh("ann");
        database.clock().set(scheduled.publishedAt().plusSeconds(10));
        assertThat(store.outbox().settledMark())
                .isLessThanOrEqualTo(scheduled.publishedAt().toEpochMilli());
        feed.fanout().drain();
        assertThat(feed(feed, "ann")).containsExactly(scheduled, present);
        store.inbox(LIMITS).retract(List.of(new Retraction(scheduled, List.of("ann"))));
        assertThat(feed(feed, "ann")).containsExactly(present);
        database.clock().advance(FeedEngineBuilder.DEFAULT_RECONCILE_INTERVAL);
        assertThat(feed(feed, "ann")).containsExactly(scheduled, present);
    }

    @Test
    @DisplayName("counts as waiting since its time, also when its push is split")
    void age() {
        FeedEngine feed = engine(FanoutMode.PUSH);
        open(feed);
        feed.publish(scheduled);
        database.clock().set(scheduled.publishedAt().plusSeconds(5));
        assertThat(feed.fanout().backlog().age()).isEqualTo(Duration.ofSeconds(5));
        Claim claim = store.outbox().fanout().claim(1, 60_000).get(0);
        store.outbox().fanout().split(claim, List.of(new KeyRange("", "m"), new KeyRange("m", KeyRange.END)));
        assertThat(feed.fanout().backlog().age()).isEqualTo(Duration.ofSeconds(5));
    }
}
