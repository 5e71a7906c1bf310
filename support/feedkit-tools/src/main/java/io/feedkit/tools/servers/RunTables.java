package io.feedkit.tools.servers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.feedkit.FeedKitException;
import io.feedkit.jdbc.JdbcSchema;
import javax.sql.DataSource;

/** FeedKit's tables for one run, under the run's own prefix. Closing drops them. */
public final class RunTables implements AutoCloseable {

    private final HikariDataSource pool;
    private final String prefix;

    private RunTables(HikariDataSource pool, String prefix) {
        this.pool = pool;
        this.prefix = prefix;
    }

    /**
     * Creates the tables.
     *
     * @param url the JDBC URL of the database
     * @param name the beginning of the prefix
     * @param connections the largest number of connections
     * @return the tables
     * @throws IllegalArgumentException if the database cannot be used
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
     * Creates tables for several processes, which stay until {@link #drop}.
     *
     * @param url the JDBC URL of the database
     * @param prefix the prefix of the tables' names
     * @throws IllegalArgumentException if the database cannot be used, or such tables exist
     */
    public static void make(String url, String prefix) {
        try (HikariDataSource pool = pool(url, 1)) {
            JdbcSchema.of(pool, "", prefix).create();
        } catch (FeedKitException e) {
            throw unusable(e);
        }
    }

    /**
     * Drops tables, if they exist.
     *
     * @param url the JDBC URL of the database
     * @param prefix the prefix of the tables' names
     * @throws IllegalArgumentException if the database cannot be used
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

    /**
     * Opens a pool. No message shows the URL, which may contain a password.
     *
     * @param url the JDBC URL of the database
     * @param connections the largest number of connections
     * @return the pool
     * @throws IllegalArgumentException if the database cannot be reached
     */
    public static HikariDataSource pool(String url, int connections) {
        if (url.split("\\?", 2)[0].contains("@")) {
            throw new IllegalArgumentException("store must not have user:password@ before the host: use "
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
            throw new IllegalArgumentException("store must be a JDBC URL whose driver is on the class path");
        }
    }

    private JdbcSchema schema() {
        return JdbcSchema.of(pool, "", prefix);
    }

    /** The tables' database. */
    public DataSource dataSource() {
        return pool;
    }

    /** The prefix of the tables' names. */
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
