package io.feedkit.jdbc.internal.register;

import static java.util.Objects.requireNonNull;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.PulledRegister.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * The changes in PostgreSQL, which numbers its transactions and shows which of them a statement did not see. Every row
 * has the number of the transaction that changed it. The changes since a moment are exactly those of transactions that
 * the moment's statement did not see: open transactions, and transactions with higher numbers. A transaction that stays
 * open costs nothing.
 */
final class PostgresChangeLog implements ChangeLog {

    /**
     * The transactions that a statement did not see: all from a number on, and some below it.
     *
     * @param server when the server started; the numbers are not valid for another start, which may have lost
     *     transactions
     */
    private record Snapshot(String from, String open, long at, String server) implements Moment {

        boolean isRemembered(Snapshot now) {
            return server.equals(now.server) && now.at - at <= REMEMBERED_MILLIS;
        }
    }

    private final String moment;
    private final String changes;

    private final Database database;

    PostgresChangeLog(Database database) {
        this.database = database;
        String now = "SELECT 0 AS kind, CAST(pg_current_snapshot() AS varchar) AS author,"
                + " CAST(pg_postmaster_start_time() AS varchar) AS id, ${now} AS version,"
                + " CAST(NULL AS bigint) AS oldest_at, CAST(NULL AS varchar) AS oldest_id,"
                + " CAST(NULL AS bigint) AS newest_at, CAST(NULL AS varchar) AS newest_id";
        moment = database.sql(now);
        changes = database.sql(now
                + changed(RegisterRow.PULLED.formatted("", "%s"), "${pulled}")
                + changed(RegisterRow.RETRACTING.formatted("bigint", "", "%s"), "${retracting}")
                + changed(RegisterRow.LEFT.formatted("bigint", "", "%s"), "${unregistered}"));
    }

    /**
     * Searches an index twice. Rows of a restored database may have numbers above the current ones, and are left out.
     */
    private static String changed(String select, String table) {
        String above = "(SELECT * FROM " + table + " WHERE changed >= CAST(:from AS xid8)"
                + " AND changed < pg_snapshot_xmax(pg_current_snapshot()) ORDER BY changed LIMIT " + (MOST_CHANGES + 1)
                + ") AS above";
        String open = "(SELECT * FROM " + table + " WHERE changed = ANY (CAST(:open AS xid8[]))) AS open";
        return " UNION ALL " + select.formatted(above) + " UNION ALL " + select.formatted(open);
    }

    @Override
    public Changes since(Handle handle, @Nullable Moment since) {
        Snapshot known = (Snapshot) since;
        List<RegisterRow> rows = new ArrayList<>();
        Query query = known == null
                ? database.query(handle, moment)
                : database.query(handle, changes).bind("from", known.from()).bind("open", known.open());
        query.map((row, context) -> RegisterRow.of(row, false)).forEach(rows::add);
        RegisterRow first = rows.remove(0);
        Snapshot now = snapshot(first.author(), first.changed(), requireNonNull(first.id()));
        boolean remembered = known != null && known.isRemembered(now) && rows.size() <= MOST_CHANGES;
        return new Changes(now, remembered ? Optional.of(rows) : Optional.empty());
    }

    /** Reads {@code xmin:xmax:open,open}. */
    private static Snapshot snapshot(String text, long at, String server) {
        String[] parts = text.split(":", -1);
        return new Snapshot(parts[1], "{" + parts[2] + "}", at, server);
    }
}
