package io.feedkit.jdbc.internal.notification;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The settings of a connection that notifications need, and those that it had before: autocommit, and a limit for every
 * wait. A statement's own time-out is not enough, because it relies on the server.
 *
 * @param connection the connection
 * @param autoCommit whether it had autocommit on
 * @param networkMillis how long it waited for the server; 0 without a limit
 */
record ConnectionSettings(Connection connection, boolean autoCommit, int networkMillis) {

    /** Switches autocommit on, and limits how long each statement may take. */
    static ConnectionSettings change(Connection connection, Duration timeout) throws SQLException {
        ConnectionSettings before =
                new ConnectionSettings(connection, connection.getAutoCommit(), connection.getNetworkTimeout());
        connection.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
        if (!before.autoCommit) {
            connection.setAutoCommit(true);
        }
        if (!connection.getAutoCommit()) {
            throw new SQLException(
                    "The connection for notifications must have autocommit on, but it cannot be switched on", "25001");
        }
        return before;
    }

    void restore() throws SQLException {
        if (!autoCommit) {
            connection.setAutoCommit(false);
        }
        connection.setNetworkTimeout(Runnable::run, networkMillis);
    }

    /** Closes a connection so that no pool hands it out again. */
    static void abort(Connection connection, Throwable failure) {
        try (connection) {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }
}
