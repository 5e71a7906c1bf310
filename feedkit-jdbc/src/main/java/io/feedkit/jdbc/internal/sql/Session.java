package io.feedkit.jdbc.internal.sql;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;

import java.sql.Connection;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection for one unit of work. It is returned with its original autocommit and isolation level. */
final class Session implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Session.class);

    private final Handle handle;
    private final Connection connection;
    private final boolean autoCommit;
    private final int isolation;
    private boolean ended;

    private Session(Handle handle, Connection connection, boolean autoCommit, int isolation) {
        this.handle = handle;
        this.connection = connection;
        this.autoCommit = autoCommit;
        this.isolation = isolation;
    }

    /** Takes over a handle, and closes it if that fails. */
    static Session of(Handle handle, boolean readCommitted) throws SQLException {
        try {
            Connection connection = handle.getConnection();
            int isolation = TRANSACTION_READ_COMMITTED;
            if (!readCommitted) {
                isolation = connection.getTransactionIsolation();
                connection.setTransactionIsolation(TRANSACTION_READ_COMMITTED);
            }
            return new Session(handle, connection, connection.getAutoCommit(), isolation);
        } catch (SQLException | RuntimeException e) {
            handle.close();
            throw e;
        }
    }

    Handle handle() {
        return handle;
    }

    void begin() {
        if (autoCommit) {
            try {
                connection.setAutoCommit(false);
            } catch (SQLException e) {
                throw Failures.unavailable("jdbc.begin", e);
            }
        }
    }

    void commit(String operation, boolean written) {
        try {
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
            ended = true;
        } catch (SQLException e) {
            rollback();
            throw written && !Failures.isContention(e)
                    ? Failures.unknown(operation, e)
                    : Failures.unavailable(operation, e);
        }
    }

    void rollback() {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            ended = true;
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A transaction could not be rolled back; the database rolls it back when the connection ends", e);
        }
    }

    @Override
    public void close() {
        if (!ended) {
            rollback();
        }
        if (ended) {
            restore();
        } else {
            abort();
        }
        try {
            handle.close();
        } catch (RuntimeException e) {
            LOG.debug("A connection could not be closed", e);
        }
    }

    private void restore() {
        try {
            if (connection.getAutoCommit() != autoCommit) {
                connection.setAutoCommit(autoCommit);
            }
            if (isolation != TRANSACTION_READ_COMMITTED) {
                connection.setTransactionIsolation(isolation);
            }
        } catch (SQLException e) {
            LOG.debug("The settings of a connection could not be restored; its pool has to detect that", e);
        }
    }

    /**
     * Aborts a connection that could not roll back, because setting autocommit on again would commit its transaction.
     */
    private void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection could not be aborted; its pool has to detect that", e);
        }
    }
}
