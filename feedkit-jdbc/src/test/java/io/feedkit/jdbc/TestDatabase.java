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

    private final HikariDataSource pool;
    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));

    private TestDatabase(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(16);
        config.setMinimumIdle(1);
        pool = new HikariDataSource(config);
        JdbcSchema.of(pool).create();
    }

    /** A new database in memory. */
    public static TestDatabase h2() {
        return new TestDatabase("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    /** A new database of the shared PostgreSQL. */
    public static TestDatabase postgres() {
        return new TestDatabase(PostgresServer.shared().createDatabase());
    }

    /** A new database of the shared MariaDB. */
    public static TestDatabase mariaDb() {
        return new TestDatabase(MariaDbServer.shared().createDatabase());
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

    @Override
    public void close() {
        pool.close();
    }
}
