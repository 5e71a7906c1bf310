package io.feedkit.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.TableNames;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.MariaDbServer;
import io.feedkit.testservers.MySqlServer;
import io.feedkit.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/**
 * An empty database with FeedKit's tables and a settable clock. The databases of the kits are emptied and used again
 * after each test, since creating one takes longer than most tests.
 */
public final class TestDatabase implements AutoCloseable {

    /** The databases that tests run on. */
    public enum Kind {
        H2,
        POSTGRESQL,
        MARIADB,
        MYSQL;

        /** Whether the database is MySQL or MariaDB. */
        boolean isMySql() {
            return this == MARIADB || this == MYSQL;
        }

        /** The reason why this machine cannot run the database; empty if it can. */
        Optional<String> obstacle() {
            return this == MYSQL && !MySqlContainer.IS_WANTED ? MySqlServer.whyUnavailable() : Optional.empty();
        }
    }

    private static final List<String> TABLES = List.of(
            "post",
            "task",
            "post_event",
            "restart",
            "pulled",
            "retracting",
            "unregistered",
            "follow",
            "follow_count",
            "inbox",
            "inbox_entry",
            "inbox_note",
            "seen",
            "rank_snapshot",
            "presence",
            "counter_cell",
            "counter_member",
            "counter_newest",
            "counter_idle",
            "counter_operation",
            "counter_ticket");

    private static final Map<Kind, Queue<TestDatabase>> IDLE = new ConcurrentHashMap<>();

    private final Optional<Queue<TestDatabase>> idle;
    private final String url;
    private final HikariDataSource pool;
    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final Database database;
    private final JdbcFeedStore store;

    private TestDatabase(Optional<Queue<TestDatabase>> idle, String url) {
        this.idle = idle;
        this.url = url;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(16);
        config.setMinimumIdle(1);
        pool = new HikariDataSource(config);
        JdbcSchema.of(pool).create();
        database = database(pool);
        store = newStore();
    }

    private static Queue<TestDatabase> idle(Kind kind) {
        return IDLE.computeIfAbsent(kind, any -> new ConcurrentLinkedQueue<>());
    }

    /** A database that only one test uses and may change in any way. */
    public static TestDatabase of(Kind kind) {
        return new TestDatabase(Optional.empty(), emptyUrl(kind));
    }

    /** An empty database, for the kits. */
    public static TestDatabase lent(Kind kind) {
        Queue<TestDatabase> idle = idle(kind);
        TestDatabase found = idle.poll();
        return found != null ? found : new TestDatabase(Optional.of(idle), emptyUrl(kind));
    }

    /** The URL of a new database without tables. */
    public static String emptyUrl(Kind kind) {
        return switch (kind) {
            case H2 -> "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
            case POSTGRESQL -> PostgresServer.shared().createDatabase();
            case MARIADB -> MariaDbServer.shared().createDatabase();
            case MYSQL ->
                MySqlContainer.IS_WANTED
                        ? MySqlContainer.emptyUrl()
                        : MySqlServer.shared().createDatabase();
        };
    }

    /** An empty database in memory, for the kits. */
    public static TestDatabase h2() {
        return lent(Kind.H2);
    }

    /** An empty database of the shared PostgreSQL, for the kits. */
    public static TestDatabase postgres() {
        return lent(Kind.POSTGRESQL);
    }

    /** The URL of the database, without user and password. */
    public String url() {
        return url;
    }

    /** The pool. */
    public DataSource dataSource() {
        return pool;
    }

    /** The store's clock. Tests never set it back. */
    public SettableClock clock() {
        return clock;
    }

    /** The same tables through another data source. */
    Database database(DataSource dataSource) {
        return new Database(
                dataSource, new TableNames("", JdbcSchema.DEFAULT_PREFIX), Optional.of(clock), Duration.ofSeconds(30));
    }

    /** The database with the settable clock. */
    public Database database() {
        return database;
    }

    /** A store with the settable clock and no thread. It does not have to be closed. */
    public JdbcFeedStore store() {
        return store;
    }

    private JdbcFeedStore newStore() {
        return JdbcFeedStore.builder(pool)
                .clock(clock)
                .maintenanceInterval(Duration.ZERO)
                .build();
    }

    @Override
    public void close() {
        if (idle.isEmpty()) {
            pool.close();
            return;
        }
        try {
            empty();
        } catch (SQLException e) {
            pool.close();
            return;
        }
        idle.get().add(this);
    }

    /** Removes all rows, except those of the version and the identity, which stores cache. */
    void empty() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.execute("DELETE FROM feedkit_" + table);
            }
            statement.execute("DELETE FROM feedkit_source WHERE part IN ('inbox', 'archive', 'mover')");
        }
    }
}
