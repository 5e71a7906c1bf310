package io.feedkit.tools.servers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.feedkit.FeedKitException;
import io.feedkit.jdbc.JdbcSchema;
import javax.sql.DataSource;

/** FeedKit's tables for one run, under a prefix of its own. Closing drops them. */
public final class RunTables implements AutoCloseable {

    private final HikariDataSource pool;
    private final String prefix;

    private RunTables(HikariDataSource pool, String prefix) {
        this.pool = pool;
        this.prefix = prefix;
    }

    /**
     * Makes the tables.
     *
     * @param url where, a JDBC URL
     * @param name what the prefix begins with
     * @param connections how many connections there may be at once
     * @return the tables
     * @throws IllegalArgumentException if there is no such database
     */
    public static RunTables create(String url, String name, int connections) {
        HikariDataSource pool = pool(url, connections);
        RunTables tables = new RunTables(pool, name + "_" + RunKeys.random() + "_");
        try {
            tables.schema().create();
        } catch (FeedKitException e) {
            pool.close();
            throw unusable(e);
        }
        return tables;
    }

    /**
     * Makes tables that stay until {@link #drop}, for several processes.
     *
     * @param url where, a JDBC URL
     * @param prefix what their names begin with
     * @throws IllegalArgumentException if there is no such database, or there are such tables
     */
    public static void make(String url, String prefix) {
        try (HikariDataSource pool = pool(url, 1)) {
            JdbcSchema.of(pool, "", prefix).create();
        } catch (FeedKitException e) {
            throw unusable(e);
        }
    }

    /**
     * Drops tables, if there are any.
     *
     * @param url where, a JDBC URL
     * @param prefix what their names begin with
     * @throws IllegalArgumentException if there is no such database
     */
    public static void drop(String url, String prefix) {
        try (HikariDataSource pool = pool(url, 1)) {
            JdbcSchema.of(pool, "", prefix).drop();
        } catch (FeedKitException e) {
            throw unusable(e);
        }
    }

    private static IllegalArgumentException unusable(FeedKitException e) {
        return new IllegalArgumentException("store cannot be used: " + e.getMessage(), e);
    }

    /** No message shows the URL, which may have a password in it. */
    private static HikariDataSource pool(String url, int connections) {
        if (url.split("\\?", 2)[0].contains("@")) {
            throw new IllegalArgumentException("store must not have user:password@ before the host: say "
                    + "?user=USER&password=PASSWORD after the database");
        }
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        try {
            return new HikariDataSource(config);
        } catch (PoolInitializationException e) {
            throw new IllegalArgumentException("store cannot be reached: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            // The cause would show the URL.
            throw new IllegalArgumentException("store must name a database by a JDBC URL of a driver that is here");
        }
    }

    private JdbcSchema schema() {
        return JdbcSchema.of(pool, "", prefix);
    }

    /** Where the tables are. */
    public DataSource dataSource() {
        return pool;
    }

    /** What their names begin with. */
    public String prefix() {
        return prefix;
    }

    @Override
    public void close() {
        try {
            schema().drop();
        } finally {
            pool.close();
        }
    }
}
