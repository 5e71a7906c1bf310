package io.feedkit.jdbc.internal.outbox;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_READ_UNCOMMITTED;

import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;

/**
 * A time before which every append is settled: committed, and fanned out or registered. Clocks and sequences do not
 * follow the order of commits, so uncommitted appends count too, however long their transactions stay open.
 *
 * <p>The mark is read in three steps, in this order: the clock, the uncommitted appends, the committed unfinished
 * tasks. An append that the second step does not see was committed before the third step, or started after the first
 * one. In PostgreSQL {@link UncommittedAppends} shows the uncommitted appends. In the other databases a dirty read
 * shows their tasks, except a task that is being written at that moment. Also, an append reads the clock for the post a
 * moment before it reads the clock for the task. The mark therefore stays {@value #MARGIN_MILLIS} ms behind there.
 */
final class SettledMark {

    /** The longest time from an append's reading of the clock until its task is in the table. */
    static final long MARGIN_MILLIS = 1000;

    private final Database database;
    private final UncommittedAppends open;
    private final String oldest;

    SettledMark(Database database) {
        this.database = database;
        this.open = new UncommittedAppends(database);
        String first = "(SELECT unsettled_at FROM ${task} WHERE shown = %d AND unsettled_at >= 0"
                + " ORDER BY shown, unsettled_at LIMIT 1)";
        this.oldest = database.sql(first.formatted(0) + " UNION ALL " + first.formatted(1));
    }

    long read() {
        boolean locks = database.dialect() == Dialect.POSTGRESQL;
        long underWay = database.read("outbox.settledMark", locks ? this::locked : this::dirty);
        long committed = database.read("outbox.settledMark", this::oldest);
        return Math.min(underWay, committed) - (locks ? 0 : MARGIN_MILLIS);
    }

    private long locked(Handle handle) {
        long now = database.now(handle);
        return Math.min(now, open.oldest(handle));
    }

    private long dirty(Handle handle) {
        Connection connection = handle.getConnection();
        try {
            connection.setTransactionIsolation(TRANSACTION_READ_UNCOMMITTED);
            try {
                long now = database.now(handle);
                return Math.min(now, oldest(handle));
            } finally {
                try {
                    if (!connection.getAutoCommit()) {
                        connection.commit();
                    }
                } finally {
                    connection.setTransactionIsolation(TRANSACTION_READ_COMMITTED);
                }
            }
        } catch (SQLException e) {
            throw new StoreUnavailableException("outbox.settledMark", e);
        }
    }

    private long oldest(Handle handle) {
        return database.query(handle, oldest).mapTo(Long.class).list().stream()
                .min(Long::compare)
                .orElse(Long.MAX_VALUE);
    }
}
