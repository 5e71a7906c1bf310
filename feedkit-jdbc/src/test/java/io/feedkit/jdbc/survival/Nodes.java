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

    /** Creates the tables in an empty database. */
    static void createTables(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            JdbcSchema.of(pool).create();
        }
    }

    /** Starts a node on a database with tables, with a pool of its own. */
    static Node.Setup at(String url) {
        return on(JdbcFeedStore.builder(url).poolSize(6));
    }

    /**
     * Starts a node with a long time-out, for tests in which a slow machine must not make the database time out.
     */
    static Node.Setup patientAt(String url) {
        return on(JdbcFeedStore.builder(url).poolSize(6), Duration.ofSeconds(30));
    }

    /** Starts a node whose store has another clock than the database. */
    static Node.Setup at(String url, Clock clock) {
        return on(JdbcFeedStore.builder(url).poolSize(6).clock(clock));
    }

    /** Starts a node on a shared pool. */
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
