package io.feedkit.jdbc;

import io.feedkit.spi.FeedStore;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Empty stores, one after the other, in one reused database. They are one store object: each run empties the tables and
 * sets another clock. A new object would parse every statement again, which takes longer than many runs.
 */
final class TestStores implements AutoCloseable {

    /** Far longer than the default, so that no statement fails on a busy machine, but a hang still does. */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final TestDatabase database;
    private final AtomicReference<Clock> clock;
    private final JdbcFeedStore store;

    TestStores(TestDatabase.Kind kind) {
        database = TestDatabase.lent(kind);
        clock = new AtomicReference<>(database.clock());
        store = JdbcFeedStore.builder(database.dataSource())
                .clock(new CurrentClock(clock))
                .timeout(TIMEOUT)
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    /** An empty store with this clock. The previous store must not be used any more. */
    FeedStore empty(Clock ofRun) {
        clock.set(ofRun);
        try {
            database.empty();
        } catch (SQLException e) {
            throw new IllegalStateException("The tables cannot be emptied", e);
        }
        return store;
    }

    @Override
    public void close() {
        database.close();
    }

    /** The clock of the current run. */
    private static final class CurrentClock extends Clock {

        private final AtomicReference<Clock> current;

        CurrentClock(AtomicReference<Clock> current) {
            this.current = current;
        }

        @Override
        public ZoneId getZone() {
            return current.get().getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return current.get().withZone(zone);
        }

        @Override
        public Instant instant() {
            return current.get().instant();
        }
    }
}
