package io.feedkit.jdbc.survival;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcSchema;
import io.feedkit.testservers.survival.Node;
import java.time.Clock;
import java.time.Duration;
import javax.sql.DataSource;

/** Nodes on a database. */
final class Nodes {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private Nodes() {}

    /** Makes the tables in an empty database. */
    static void createTables(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcSchema.of(pool).create();
        }
    }

    /** Begins a node on a database that has the tables, with a pool of its own. */
    static Node.Setup at(String url) {
        return on(JdbcFeedStore.builder(url).poolSize(6));
    }

    /**
     * Begins a node that waits long for the database: for tests in which that must not be what fails, however slow the
     * machine is.
     */
    static Node.Setup patientAt(String url) {
        return on(JdbcFeedStore.builder(url).poolSize(6), Duration.ofSeconds(30));
    }

    /** Begins a node whose store has another clock than the database's. */
    static Node.Setup at(String url, Clock clock) {
        return on(JdbcFeedStore.builder(url).poolSize(6).clock(clock));
    }

    /** Begins a node on a pool that has other users. */
    static Node.Setup on(DataSource pool) {
        return on(JdbcFeedStore.builder(pool));
    }

    private static Node.Setup on(JdbcFeedStore.Builder store) {
        return on(store, TIMEOUT);
    }

    private static Node.Setup on(JdbcFeedStore.Builder store, Duration timeout) {
        return Node.on(
                () -> store.timeout(timeout)
                        .maintenanceInterval(Duration.ofSeconds(1))
                        .build(),
                JdbcFeedStore::close);
    }
}
