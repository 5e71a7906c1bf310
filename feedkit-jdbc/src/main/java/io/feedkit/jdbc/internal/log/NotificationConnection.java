package io.feedkit.jdbc.internal.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * A connection that listens for notifications. Only this class uses the classes of PostgreSQL's driver. Not
 * thread-safe.
 */
final class NotificationConnection implements AutoCloseable {

    /**
     * The longest silence before the connection checks that the server still answers. A connection that only listens
     * does not detect when it is cut off.
     */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private final Connection connection;
    private final PGConnection driver;
    private final String channel;
    private final Duration timeout;
    private final boolean autoCommit;
    private long lastAnswerAt = System.nanoTime();
    private boolean broken;

    private NotificationConnection(
            Connection connection, PGConnection driver, String channel, Duration timeout, boolean autoCommit) {
        this.connection = connection;
        this.driver = driver;
        this.channel = channel;
        this.timeout = timeout;
        this.autoCommit = autoCommit;
    }

    /** Whether the connections of a data source unwrap to connections of PostgreSQL's own driver. */
    static boolean isPossible(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return connection.isWrapperFor(PGConnection.class);
        }
    }

    /** Takes a connection and starts to listen. Notifications arrive only outside of transactions. */
    static NotificationConnection open(DataSource dataSource, String channel, Duration timeout) throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            boolean autoCommit = connection.getAutoCommit();
            PGConnection driver = connection.unwrap(PGConnection.class);
            connection.setAutoCommit(true);
            if (!connection.getAutoCommit()) {
                throw new SQLException(
                        "The listening connection must have autocommit on, but autocommit cannot be switched on",
                        "25001");
            }
            NotificationConnection opened =
                    new NotificationConnection(connection, driver, channel, timeout, autoCommit);
            opened.execute("LISTEN");
            return opened;
        } catch (SQLException | RuntimeException | LinkageError e) {
            abort(connection, e);
            throw e;
        }
    }

    /** Waits for a notification, and returns whether one arrived. */
    boolean awaitNotification(Duration timeToWait) throws SQLException {
        try {
            for (PGNotification notification : driver.getNotifications((int) timeToWait.toMillis())) {
                lastAnswerAt = System.nanoTime();
                if (notification.getName().equals(channel)) {
                    return true;
                }
            }
            if (System.nanoTime() - lastAnswerAt > SILENCE.toNanos()) {
                checkServer();
            }
            return false;
        } catch (SQLException | RuntimeException e) {
            broken = true;
            throw e;
        }
    }

    private void checkServer() throws SQLException {
        if (!connection.isValid((int) Math.max(1, timeout.toSeconds()))) {
            throw new SQLException("The server does not answer on the listening connection", "08006");
        }
        lastAnswerAt = System.nanoTime();
    }

    private void execute(String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout((int) Math.max(1, timeout.toSeconds()));
            statement.execute(command + " \"" + channel + "\"");
        }
    }

    /**
     * Restores the original settings, and closes the connection. Aborts a broken connection, so that no pool hands it
     * out again.
     */
    @Override
    public void close() throws SQLException {
        try (connection) {
            if (broken) {
                connection.abort(Runnable::run);
            } else {
                restore();
            }
        }
    }

    private void restore() throws SQLException {
        try {
            execute("UNLISTEN");
            connection.setAutoCommit(autoCommit);
        } catch (SQLException | RuntimeException e) {
            connection.abort(Runnable::run);
            throw e;
        }
    }

    private static void abort(Connection connection, Throwable failure) {
        try (connection) {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }
}
