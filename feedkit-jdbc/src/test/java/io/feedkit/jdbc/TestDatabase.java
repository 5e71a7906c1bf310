package io.feedkit.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.MariaDbServer;
import io.feedkit.testservers.PostgresServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** An empty database with FeedKit's tables and a clock that tests set. */
public final class TestDatabase implements AutoCloseable {

    /** The databases that tests run on. */
    public enum Kind {
        H2,
        POSTGRESQL,
        MARIADB
    }

    private final String url;
    private final HikariDataSource pool;
    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));

    private TestDatabase(String url) {
        this.url = url;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(16);
        config.setMinimumIdle(1);
        pool = new HikariDataSource(config);
        JdbcSchema.of(pool).create();
    }

    /** A new database. */
    public static TestDatabase of(Kind kind) {
        return new TestDatabase(emptyUrl(kind));
    }

    /** The address of a new database without tables. */
    public static String emptyUrl(Kind kind) {
        return switch (kind) {
            case H2 -> "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
            case POSTGRESQL -> PostgresServer.shared().createDatabase();
            case MARIADB -> MariaDbServer.shared().createDatabase();
        };
    }

    /** A new database in memory. */
    public static TestDatabase h2() {
        return of(Kind.H2);
    }

    /** A new database of the shared PostgreSQL. */
    public static TestDatabase postgres() {
        return of(Kind.POSTGRESQL);
    }

    /** A new database of the shared MariaDB. */
    public static TestDatabase mariaDb() {
        return of(Kind.MARIADB);
    }

    /** The database's address, which needs neither user nor password. */
    public String url() {
        return url;
    }

    /** The pool. */
    public DataSource dataSource() {
        return pool;
    }

    /** The store's clock. */
    public SettableClock clock() {
        return clock;
    }

    /** The database with the settable clock. */
    public Database database() {
        return new Database(
                pool, new TableNames("", JdbcSchema.DEFAULT_PREFIX), Optional.of(clock), Duration.ofSeconds(30));
    }

    /** A store with the settable clock, and without a thread. */
    public JdbcFeedStore store() {
        return JdbcFeedStore.builder(pool)
                .clock(clock)
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    @Override
    public void close() {
        pool.close();
    }
}
