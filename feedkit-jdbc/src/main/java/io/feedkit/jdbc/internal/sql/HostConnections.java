package io.feedkit.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** Checks the connections on which hosts have transactions. */
public final class HostConnections {

    private HostConnections() {}

    /**
     * Returns a connection if a transaction can be open on it.
     *
     * @param operation the operation that uses the connection
     * @throws IllegalArgumentException if the connection is closed, has autocommit on, or leads to another database
     */
    public static Connection require(String operation, Connection connection, Database database) {
        try {
            if (connection.isClosed()) {
                throw new IllegalArgumentException(
                        "transaction must be open, but its connection is closed: " + connection);
            }
            requireNoAutocommit(operation, connection);
            Dialect dialect = Dialect.of(connection);
            if (dialect != database.dialect()) {
                throw new IllegalArgumentException("transaction must be on the database of the tables, "
                        + database.dialect() + ", but is on " + dialect);
            }
            return connection;
        } catch (SQLException e) {
            throw Failures.unavailable(operation, e);
        }
    }

    /**
     * Refuses a connection on which each statement is a transaction of its own.
     *
     * @throws IllegalArgumentException if autocommit is on
     */
    static void requireNoAutocommit(String operation, Connection connection) {
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException("transaction must be open, but its connection has autocommit on;"
                        + " call setAutoCommit(false) first: " + connection);
            }
        } catch (SQLException e) {
            throw Failures.unavailable(operation, e);
        }
    }
}
