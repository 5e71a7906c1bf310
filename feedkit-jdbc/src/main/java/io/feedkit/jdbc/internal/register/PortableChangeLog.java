package io.feedkit.jdbc.internal.register;

import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_READ_UNCOMMITTED;

import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.PulledRegister.Moment;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The changes in H2, MySQL and MariaDB, where a dirty read shows uncommitted rows. Every row has the time of its
 * change. A moment reaches back to the oldest row that was not committed then, and at least {@value #MARGIN_MILLIS} ms,
 * because a row that is being written may not be visible yet. Some changes are therefore reported more than once.
 */
final class PortableChangeLog implements ChangeLog {

    /** How long a row may take from reading the clock until an uncommitted read shows it. */
    static final long MARGIN_MILLIS = 1000;

    /** All changes before {@code time} were committed; {@code at} is when the moment was read. */
    private record Since(long time, long at) implements Moment {}

    private final Database database;
    private final String changes;
    private final String retracting;

    PortableChangeLog(Database database) {
        this.database = database;
        String number = database.dialect().isMySql() ? "signed" : "bigint";
        String recent = " WHERE changed >= :since ORDER BY changed LIMIT " + (MOST_CHANGES + 1);
        changes = database.sql("(" + RegisterRow.PULLED.formatted(", changed", "${pulled}" + recent) + ") UNION ALL ("
                + RegisterRow.RETRACTING.formatted(number, ", changed", "${retracting}" + recent) + ") UNION ALL ("
                + RegisterRow.LEFT.formatted(number, ", changed", "${unregistered}" + recent) + ")");
        retracting = database.sql("SELECT 2 AS kind, author, id, changed FROM ${retracting}");
    }

    @Override
    public Changes since(Handle handle, @Nullable Moment moment) {
        Since known = (Since) moment;
        Uncommitted seen = uncommitted(handle, known);
        List<RegisterRow> committed = rows(handle, known);
        if (known != null && !isComplete(known, seen.now(), committed)) {
            // The next moment must reach back to all uncommitted rows, and some may be older than this moment.
            return since(handle, null);
        }
        Set<RegisterRow> open = new HashSet<>(seen.rows());
        committed.forEach(open::remove);
        long reach = open.stream().mapToLong(RegisterRow::changed).min().orElse(Long.MAX_VALUE);
        Since next = new Since(Math.min(seen.now() - MARGIN_MILLIS, reach), seen.now());
        return new Changes(next, Optional.ofNullable(known).map(since -> committed));
    }

    /**
     * Whether all changes since a moment were read. If the clock was set back, changes may have times before the
     * moment.
     */
    private static boolean isComplete(Since known, long now, List<RegisterRow> committed) {
        long age = now - known.at();
        return age >= 0 && age <= REMEMBERED_MILLIS && committed.size() <= MOST_CHANGES;
    }

    private record Uncommitted(long now, List<RegisterRow> rows) {}

    /** Reads the time, and then the rows that a dirty read shows. */
    private Uncommitted uncommitted(Handle handle, @Nullable Since known) {
        Connection connection = handle.getConnection();
        try {
            connection.setTransactionIsolation(TRANSACTION_READ_UNCOMMITTED);
            try {
                long now = database.now(handle);
                return new Uncommitted(now, rows(handle, known));
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
            throw new StoreUnavailableException("register.update", e);
        }
    }

    /**
     * Reads the rows that changed since a moment. Without a moment, reads the rows that may be uncommitted for long:
     * deletes in transactions of the host's.
     */
    private List<RegisterRow> rows(Handle handle, @Nullable Since known) {
        List<RegisterRow> rows = new ArrayList<>();
        if (known == null) {
            database.query(handle, retracting)
                    .map((row, context) -> new RegisterRow(
                            row.getString("author"), row.getString("id"), null, false, row.getLong("changed")))
                    .forEach(rows::add);
        } else {
            database.query(handle, changes)
                    .bind("since", known.time())
                    .map((row, context) -> RegisterRow.of(row, true))
                    .forEach(rows::add);
        }
        return rows;
    }
}
