package io.feedkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.TestDatabase.Kind;
import io.feedkit.jdbc.internal.inbox.JdbcInbox;
import io.feedkit.jdbc.internal.log.JdbcFanoutLog;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.InboxLimits;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Writes of several transactions, with fewer connections than transactions. A write that is reported as not done has
 * changed nothing.
 */
class HalfDoneBatchesTest {

    private static final InboxLimits LIMITS = new InboxLimits(100, 3_600_000);
    private static final int INBOXES = 150;

    private final AtomicInteger connections = new AtomicInteger(Integer.MAX_VALUE);

    private DataSource limited(TestDatabase test) {
        return TestDataSources.checked(test.dataSource(), () -> {
            if (connections.getAndDecrement() <= 0) {
                throw new SQLTransientConnectionException("exhausted");
            }
        });
    }

    private Database database(TestDatabase test) {
        return new Database(
                limited(test),
                new TableNames("", JdbcSchema.DEFAULT_PREFIX),
                Optional.of(test.clock()),
                Duration.ofSeconds(30));
    }

    private static Delivery delivery(int number, String... readers) {
        return new Delivery(Post.of("bob", "post" + number, number), List.of(readers), 0);
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("the outcome of a delivery is unknown if it fails after its first round, and known if it fails before")
    void rounds(Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind)) {
            Inbox inbox = new JdbcInbox(database(test), LIMITS);
            inbox.open("ann", 60_000, false);
            List<Delivery> deliveries = List.of(delivery(1, "ann"), delivery(2, "ann"));
            connections.set(0);
            assertThatThrownBy(() -> inbox.deliver(deliveries)).isInstanceOf(StoreUnavailableException.class);
            connections.set(1);
            assertThatThrownBy(() -> inbox.deliver(deliveries))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("inbox.deliver")
                    .hasRootCauseMessage("exhausted");
            connections.set(Integer.MAX_VALUE);
            assertThat(inbox.deliver(deliveries)).containsExactly(List.of(Outcome.PRESENT), List.of(Outcome.ADDED));
        }
    }

    @Test
    @Tag("once")
    @DisplayName("the outcome of a delivery that fails while it looks for inboxes is unknown if a reader has one")
    void refusals() {
        try (TestDatabase test = TestDatabase.of(Kind.POSTGRESQL)) {
            Inbox inbox = new JdbcInbox(database(test), LIMITS);
            inbox.open("ann", 60_000, false);
            connections.set(1);
            assertThatThrownBy(() -> inbox.deliver(List.of(delivery(1, "nobody", "noone"))))
                    .isInstanceOf(StoreUnavailableException.class);
            connections.set(1);
            assertThatThrownBy(() -> inbox.deliver(List.of(delivery(1, "ann", "nobody"))))
                    .isInstanceOf(OutcomeUnknownException.class);
            connections.set(Integer.MAX_VALUE);
            assertThat(inbox.deliver(List.of(delivery(1, "ann", "nobody"))))
                    .containsExactly(List.of(Outcome.PRESENT, Outcome.NOT_LIVE));
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("the outcome of a restart that fails half-way is unknown")
    void restarted(Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind)) {
            JdbcFanoutLog log = new JdbcFanoutLog(database(test));
            LogRowsTest.finished(test.database(), test.clock().millis());
            connections.set(1);
            assertThatThrownBy(() -> log.restart(0, 0)).isInstanceOf(StoreUnavailableException.class);
            assertThat(LogRowsTest.waiting(test.database())).isZero();
            connections.set(2);
            assertThatThrownBy(() -> log.restart(0, 0)).isInstanceOf(OutcomeUnknownException.class);
            assertThat(LogRowsTest.waiting(test.database())).isBetween(1L, LogRowsTest.TASKS - 1L);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("a restart for a loss that was cut short goes on where it ended, and leaves what began again alone")
    void restartGoesOn(Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind)) {
            JdbcFanoutLog log = new JdbcFanoutLog(database(test));
            LogRowsTest.finished(test.database(), test.clock().millis());
            connections.set(5);
            assertThatThrownBy(() -> log.restart(1, 0)).isInstanceOf(OutcomeUnknownException.class);
            connections.set(Integer.MAX_VALUE);
            int done = (int) LogRowsTest.waiting(test.database());
            assertThat(done).isBetween(1, LogRowsTest.TASKS - 1);
            List<Claim> claims = log.claim(10, 60_000);
            assertThat(log.restart(1, 0)).hasValue(LogRowsTest.TASKS - done);
            assertThat(log.finish(claims, 0)).hasSize(10).doesNotContain(false);
            assertThat(log.restart(1, 0)).isEmpty();
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @OnDatabases
    @DisplayName("the outcome of a purge that fails after it has removed something is unknown")
    void purged(Kind kind) {
        try (TestDatabase test = TestDatabase.of(kind);
                JdbcFeedStore store = JdbcFeedStore.builder(limited(test))
                        .clock(test.clock())
                        .maintenanceInterval(Duration.ZERO)
                        .build()) {
            Inbox inbox = new JdbcInbox(test.database(), LIMITS);
            for (int n = 0; n < INBOXES; n++) {
                inbox.open("reader" + n, 60_000, false);
            }
            test.clock().advance(Duration.ofDays(30));
            connections.set(0);
            assertThatThrownBy(() -> store.purge(1000)).isInstanceOf(StoreUnavailableException.class);
            for (int time = 1; time <= 2; time++) {
                connections.set(1);
                assertThatThrownBy(() -> store.purge(1000)).isInstanceOf(OutcomeUnknownException.class);
            }
            connections.set(Integer.MAX_VALUE);
            assertThat(store.purge(1000)).isZero();
        }
    }
}
