package io.feedkit.tools.servers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.JdbcPostArchive;
import io.feedkit.jdbc.JdbcSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** FeedKit's tables for one run, under the run's own prefix. Closing drops them. */
public final class RunTables implements AutoCloseable {

    private static final List<String> ARCHIVE = List.of("archive_post", "archive_source", "archive_version");

    private final HikariDataSource pool;
    private final String prefix;
    private final boolean archive;

    private RunTables(HikariDataSource pool, String prefix, boolean archive) {
        this.pool = pool;
        this.prefix = prefix;
        this.archive = archive;
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
        return create(new RunTables(pool, name + "_" + RunKeys.random() + "_", false));
    }

    /**
     * Creates the tables of an archive.
     *
     * @param url the JDBC URL of the database
     * @param name the beginning of the prefix
     * @param connections the largest number of connections
     * @return the tables
     * @throws IllegalArgumentException if the database cannot be used
     */
    public static RunTables createArchive(String url, String name, int connections) {
        HikariDataSource pool = pool(url, connections);
        return create(new RunTables(pool, name + "_" + RunKeys.random() + "_", true));
    }

    private static RunTables create(RunTables tables) {
        try {
            if (tables.archive) {
                JdbcPostArchive.createTables(tables.pool, "", tables.prefix);
            } else {
                tables.schema().create();
            }
        } catch (FeedKitException e) {
            tables.pool.close();
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
        return pool(url, null, null, connections);
    }

    /**
     * Opens a pool, as {@link #pool(String, int)}.
     *
     * @param url the JDBC URL of the database
     * @param user the user; null if the URL has it
     * @param password the password; null if the URL has it
     * @param connections the largest number of connections
     * @return the pool
     * @throws IllegalArgumentException if the database cannot be reached
     */
    public static HikariDataSource pool(String url, @Nullable String user, @Nullable String password, int connections) {
        if (url.split("\\?", 2)[0].contains("@")) {
            throw new IllegalArgumentException("store must not have user:password@ before the host: use "
                    + "?user=USER&password=PASSWORD after the database");
        }
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
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
            if (archive) {
                dropArchive();
            } else {
                schema().drop();
            }
        } finally {
            pool.close();
        }
    }

    private void dropArchive() {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : ARCHIVE) {
                statement.execute("DROP TABLE IF EXISTS " + prefix + table);
            }
        } catch (SQLException e) {
            throw new StoreUnavailableException("archive.drop", e);
        }
    }
}
