package io.feedkit.jdbc;

import static java.util.Objects.requireNonNull;

import io.feedkit.PublishTransaction;
import java.sql.Connection;
import org.jdbi.v3.core.Handle;

/**
 * A transaction of the host's on the database that holds the posts: what is published and deleted in it takes effect when the host commits, together with
 * the host's own rows, and never if the host does not.
 *
 * <p>FeedKit neither commits nor rolls back nor closes anything. A failed statement may have spoiled the transaction (in PostgreSQL it has): the host rolls back.
 * For the thread that owns the transaction.
 */
public final class JdbcTransaction implements PublishTransaction {

    private final Connection connection;

    private JdbcTransaction(Connection connection) {
        this.connection = connection;
    }

    /**
     * The transaction that is open on a connection. With Spring that is the connection that {@code TransactionAwareDataSourceProxy} or
     * {@code DataSourceUtils} hands out.
     *
     * @param connection a connection with autocommit off
     * @return the transaction
     */
    public static JdbcTransaction of(Connection connection) {
        return new JdbcTransaction(requireNonNull(connection, "connection"));
    }

    /**
     * The transaction that is open on a Jdbi handle.
     *
     * @param handle a handle in a transaction
     * @return the transaction
     */
    public static JdbcTransaction of(Handle handle) {
        return of(requireNonNull(handle, "handle").getConnection());
    }

    /**
     * The connection the transaction is open on.
     *
     * @return the connection, as it was given
     */
    public Connection connection() {
        return connection;
    }
}
