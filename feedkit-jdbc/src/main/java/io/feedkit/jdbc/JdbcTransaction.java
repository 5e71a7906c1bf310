package io.feedkit.jdbc;

import io.feedkit.PublishTransaction;
import io.feedkit.internal.check.Arguments;
import java.sql.Connection;
import org.jdbi.v3.core.Handle;

/**
 * A transaction of the host on the database of the posts. Publishes, deletes, reports of follows and changes of
 * counters in it take effect when the host commits, together with the host's own rows.
 *
 * <p>FeedKit does not commit, roll back or close anything. After a failed statement the host rolls back, since the
 * transaction may be unusable (in PostgreSQL it always is). Only the thread that owns the transaction may use it.
 *
 * @since 0.1.0
 */
public final class JdbcTransaction implements PublishTransaction {

    private final Connection connection;

    private JdbcTransaction(Connection connection) {
        this.connection = connection;
    }

    /**
     * Wraps the transaction that is open on a connection. With Spring, {@code TransactionAwareDataSourceProxy} or
     * {@code DataSourceUtils} hands out that connection.
     *
     * @param connection a connection with autocommit off
     * @return the transaction
     */
    public static JdbcTransaction of(Connection connection) {
        return new JdbcTransaction(Arguments.nonNull("connection", connection));
    }

    /**
     * Wraps the transaction that is open on a Jdbi handle.
     *
     * @param handle a handle in a transaction
     * @return the transaction
     */
    public static JdbcTransaction of(Handle handle) {
        return of(Arguments.nonNull("handle", handle).getConnection());
    }

    /**
     * Returns the connection of the transaction.
     *
     * @return the connection, as it was given
     */
    public Connection connection() {
        return connection;
    }

    @Override
    public String toString() {
        return "JdbcTransaction[" + connection + "]";
    }
}
