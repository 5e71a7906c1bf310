package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.jdbc.internal.inbox.ExpiredInboxCleanup;
import io.feedkit.jdbc.internal.inbox.JdbcInbox;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;

/** Expired rows are removed, and no others. */
class ExpiredInboxCleanupTest {

    private static final Duration WINDOW = Duration.ofHours(1);

    private static Inbox inbox(Database database) {
        return new JdbcInbox(database, new InboxLimits(100, WINDOW.toMillis()));
    }

    private static void live(Inbox inbox, String reader) {
        long generation = inbox.open(reader, 1000, false).generation();
        inbox.merge(reader, generation, List.of(Post.of("bob", "1", 1), Post.of("bob", "2", 2)), Position.LOWEST);
        inbox.complete(reader, generation, 1, 0);
    }

    private static long count(Database database, String table) {
        return database.read(
                "test.count",
                handle -> handle.createQuery(database.sql("SELECT count(*) FROM " + table))
                        .mapTo(Long.class)
                        .one());
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    void onlyExpiredRowsAreRemoved(TestDatabase.Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind)) {
            Database database = test.database();
            Inbox inbox = inbox(database);
            ExpiredInboxCleanup purge = new ExpiredInboxCleanup(database);
            for (int i = 0; i < 7; i++) {
                live(inbox, "gone-" + i);
            }
            test.clock().advance(WINDOW.plusMillis(1));
            live(inbox, "stays");
            assertThat(purge.run(3)).isEqualTo(3);
            assertThat(count(database, "${inbox}")).isEqualTo(5);
            assertThat(purge.run(100)).isEqualTo(4);
            assertThat(purge.run(100)).isZero();
            assertThat(count(database, "${inbox}")).isEqualTo(1);
            assertThat(count(database, "${inbox_entry}")).isEqualTo(2);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    void pendingFollowsStay(TestDatabase.Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind)) {
            Database database = test.database();
            Inbox inbox = inbox(database);
            ExpiredInboxCleanup purge = new ExpiredInboxCleanup(database);
            live(inbox, "ann");
            long token = inbox.beginFollow("ann", List.of("bob"));
            test.clock().advance(WINDOW.plusMillis(1));
            assertThat(purge.run(100)).isEqualTo(1);
            assertThat(purge.run(100)).isZero();
            assertThat(count(database, "${inbox_entry}")).isZero();
            assertThat(inbox.deliver(List.of(new Delivery(Post.of("bob", "3", 3), List.of("ann"), 0))))
                    .containsExactly(List.of(Outcome.NOT_LIVE));
            Inbox.Slice slice = inbox.slice(
                            List.of(new SliceQuery("ann", PositionRange.ALL, Order.NEWEST_FIRST, 9, true)))
                    .get(0);
            assertThat(slice.epoch()).isEqualTo(token);
            assertThat(slice.pending()).containsExactly("bob");
            assertThat(inbox.endFollow("ann", List.of("bob"), token, 0)).isEmpty();
            test.clock().advance(WINDOW.plusMillis(1));
            assertThat(purge.run(100)).isEqualTo(1);
            assertThat(count(database, "${inbox}")).isZero();
        }
    }

    /** A delivery that finds an expired inbox closes it for good, even if the clock is set back. */
    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    void refusalClosesForGood(TestDatabase.Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind)) {
            Inbox inbox = inbox(test.database());
            live(inbox, "ann");
            test.clock().advance(WINDOW.plusMillis(1));
            assertThat(inbox.deliver(List.of(new Delivery(Post.of("bob", "3", 3), List.of("ann"), 0))))
                    .containsExactly(List.of(Outcome.NOT_LIVE));
            test.clock().advance(Duration.ofMillis(-2));
            assertThat(inbox.slice(List.of(new SliceQuery("ann", PositionRange.ALL, Order.NEWEST_FIRST, 9, true)))
                            .get(0)
                            .state())
                    .isEqualTo(Inbox.State.ABSENT);
        }
    }

    /** Pending follows without a row in {@code inbox} are deleted with their reader, too. */
    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    void dropTakesPendingFollowsWithoutARow(TestDatabase.Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind)) {
            Database database = test.database();
            Inbox inbox = inbox(database);
            long token = inbox.beginFollow("ann", List.of("bob"));
            inbox.beginFollow("eve", List.of("bob"));
            live(inbox, "joe");
            execute(database, "DELETE FROM ${inbox} WHERE reader <> 'joe'");
            inbox.drop(List.of("ann", "joe", "nobody"));
            assertThat(count(database, "${inbox_note}")).isEqualTo(1);
            assertThat(count(database, "${inbox}")).isZero();
            assertThat(count(database, "${inbox_entry}")).isZero();
            assertThat(inbox.endFollow("ann", List.of("bob"), token, 0)).containsExactly("bob");
        }
    }

    /** The advice of docs/reference/sql-schema.md for a restored backup without the entries of inboxes. */
    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    void inboxesStartOverAfterARestore(TestDatabase.Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind)) {
            Database database = test.database();
            Inbox inbox = inbox(database);
            live(inbox, "ann");
            long token = inbox.beginFollow("ann", List.of("bob"));
            execute(database, "DELETE FROM ${inbox_entry}");
            execute(database, "UPDATE ${inbox} SET state = 'ABSENT', entries = 0");
            Inbox.Slice slice = inbox.slice(
                            List.of(new SliceQuery("ann", PositionRange.ALL, Order.NEWEST_FIRST, 9, true)))
                    .get(0);
            assertThat(slice.state()).isEqualTo(Inbox.State.ABSENT);
            assertThat(slice.epoch()).isEqualTo(token);
            assertThat(slice.pending()).containsExactly("bob");
            assertThat(inbox.deliver(List.of(new Delivery(Post.of("bob", "3", 3), List.of("ann"), 0))))
                    .containsExactly(List.of(Outcome.NOT_LIVE));
            live(inbox, "ann");
            assertThat(inbox.deliver(List.of(new Delivery(Post.of("bob", "3", 3), List.of("ann"), 0))))
                    .containsExactly(List.of(Outcome.ADDED));
            assertThat(inbox.endFollow("ann", List.of("bob"), token, 0)).isEmpty();
            assertThat(count(database, "${inbox_entry}")).isEqualTo(3);
            test.clock().advance(WINDOW.plusMillis(1));
            assertThat(new ExpiredInboxCleanup(database).run(100)).isEqualTo(1);
            assertThat(count(database, "${inbox_entry}")).isZero();
        }
    }

    private static void execute(Database database, String sql) {
        database.statement(
                "test.execute", handle -> handle.createUpdate(database.sql(sql)).execute());
    }
}
