package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.internal.inbox.JdbcInbox;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;

/** A renewal that cannot be written does not affect the read. */
class RenewalTest {

    private static final Duration WINDOW = Duration.ofHours(1);
    private static final Duration HALF = WINDOW.dividedBy(2).plusSeconds(1);

    private static Inbox inbox(Database database) {
        Inbox inbox = new JdbcInbox(database, new InboxLimits(100, WINDOW.toMillis()));
        long generation = inbox.open("ann", 1000, false).generation();
        inbox.merge("ann", generation, List.of(Post.of("bob", "1", 1)), Position.LOWEST);
        inbox.complete("ann", generation, 1, 0);
        return inbox;
    }

    private static Slice read(Inbox inbox) {
        return inbox.slice(List.of(new SliceQuery("ann", PositionRange.ALL, Order.NEWEST_FIRST, 9, true)))
                .get(0);
    }

    private static void assertRenewedByNextRead(TestDatabase test, Inbox inbox) {
        assertThat(read(inbox).state()).isEqualTo(Inbox.State.LIVE);
        test.clock().advance(HALF);
        assertThat(read(inbox).state()).isEqualTo(Inbox.State.LIVE);
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("a read does not wait for a locked inbox; the next read renews the window")
    void locked(TestDatabase.Kind kind) throws Exception {
        try (TestDatabase test = TestDatabase.of(kind);
                Connection other = test.dataSource().getConnection()) {
            Inbox inbox = inbox(test.database());
            test.clock().advance(HALF);
            other.setAutoCommit(false);
            try (Statement statement = other.createStatement()) {
                statement.execute("SELECT * FROM feedkit_inbox WHERE reader = 'ann' FOR UPDATE");
                CompletableFuture<Slice> reading = CompletableFuture.supplyAsync(() -> read(inbox));
                try {
                    assertThat(reading.get(10, TimeUnit.SECONDS).posts()).hasSize(1);
                } finally {
                    other.rollback();
                    other.setAutoCommit(true);
                }
            }
            assertRenewedByNextRead(test, inbox);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("a read whose renewal fails still answers; the next read renews the window")
    void failing(TestDatabase.Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind)) {
            AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
            Database flaky = new Database(
                    TestDataSources.checked(test.dataSource(), () -> {
                        if (left.getAndDecrement() <= 0) {
                            throw new SQLException("no connection", "08001");
                        }
                    }),
                    new TableNames("", JdbcSchema.DEFAULT_PREFIX),
                    Optional.of(test.clock()),
                    Duration.ofSeconds(30));
            Inbox inbox = inbox(flaky);
            test.clock().advance(HALF);
            left.set(1);
            assertThat(read(inbox).posts()).hasSize(1);
            assertThatThrownBy(() -> read(inbox)).isInstanceOf(StoreUnavailableException.class);
            left.set(Integer.MAX_VALUE);
            assertRenewedByNextRead(test, inbox);
        }
    }
}
