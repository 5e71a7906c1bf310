package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.inbox.table.InboxRow;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.InboxLimits;
import java.util.HashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Reads snapshots of inboxes. A statement sees one moment of the database, so the row, the entries and the pending
 * follows of a reader come from one statement: a union of what the caller selects, of the lowest served entry (where
 * more entries than the cap are stored), of the pending follows, and of one row for the columns of the inbox.
 *
 * <p>PostgreSQL answers a whole batch with one statement, by a lateral join. In the other databases each query is a
 * statement, with the columns of the query as its parameters.
 */
final class SnapshotQuery {

    private final Database database;
    private final InboxLimits limits;
    private final boolean batches;
    private final String sql;

    /**
     * Creates a query.
     *
     * @param queries the columns of a query, as a table {@code r}; the column {@code wanted} is the reader
     * @param select selects {@code part, published_at, id, author}; see {@link InboxSnapshot#add}
     */
    SnapshotQuery(Database database, InboxLimits limits, ParameterTable queries, String select) {
        this.database = database;
        this.limits = limits;
        batches = database.dialect() == Dialect.POSTGRESQL;
        String columns =
                "SELECT " + InboxRow.columnsIf("x.part = 'ROW'") + ", x.part, x.published_at, x.id, x.author, ";
        String union = "(" + select + " UNION ALL (" + lowestServed()
                + ") UNION ALL (SELECT 'PENDING', 0, '', n.author FROM ${inbox_note} n WHERE n.reader = r.wanted)"
                + " UNION ALL (SELECT 'ROW', 0, '', '')) x";
        sql = database.sql(
                batches
                        ? columns + "r.i FROM " + queries.drivingSource(database.dialect())
                                + " JOIN ${inbox} b ON b.reader = r.wanted CROSS JOIN LATERAL " + union
                        : (columns + "1 AS i FROM ${inbox} b CROSS JOIN " + union + " WHERE b.reader = r.wanted")
                                .replaceAll("\\br\\.", ":"));
    }

    /**
     * Skips from the lowest entry upwards where the row's count can be used, otherwise from the highest entry
     * downwards.
     */
    private String lowestServed() {
        String select = "SELECT 'FLOOR', e.published_at, e.id, e.author FROM ${inbox_entry} e WHERE e.reader = ";
        return batches
                ? select + "b.reader AND b.entries > :cap ORDER BY e.published_at, e.id, e.author"
                        + " OFFSET greatest(b.entries - :cap, 0) LIMIT 1"
                : select + "(SELECT f.reader FROM ${inbox} f WHERE f.reader = r.wanted AND f.entries > :cap)"
                        + " ORDER BY e.published_at DESC, e.id DESC, e.author DESC LIMIT 1 OFFSET :above";
    }

    /** Reads a snapshot for each query, by the index of the query; a reader without a row has none. */
    Map<Integer, InboxSnapshot> read(Handle handle, ParameterTable.Rows queries) {
        Map<Integer, InboxSnapshot> found = new HashMap<>();
        if (batches && queries.size() > 0) {
            collect(database.query(handle, sql, queries), 0, found);
        }
        for (int i = 0; !batches && i < queries.size(); i++) {
            collect(queries.bindRow(database.query(handle, sql), i).bind("above", limits.cap() - 1), i, found);
        }
        return found;
    }

    private void collect(Query query, int first, Map<Integer, InboxSnapshot> found) {
        query.bind("cap", limits.cap())
                .map((row, context) -> {
                    InboxSnapshot snapshot =
                            found.computeIfAbsent(first + row.getInt("i") - 1, i -> new InboxSnapshot());
                    snapshot.add(row);
                    return snapshot;
                })
                .list();
    }
}
