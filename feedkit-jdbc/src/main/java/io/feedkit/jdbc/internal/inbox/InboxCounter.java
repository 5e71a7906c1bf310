package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Inbox.Count;
import io.feedkit.spi.Inbox.CountQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Counts entries of inboxes in an index. The statement also reads the entries that the query asks for. If a query
 * counts the posts of some authors apart, the statement also reads the entries in the range that encloses the ranges of
 * these authors.
 */
final class InboxCounter {

    private static final ParameterTable QUERIES = ParameterTable.named("r")
            .text("wanted")
            .position("above")
            .position("from")
            .position("below")
            .number("most");

    private static final String COUNT_AND_ENTRIES = """
            (SELECT 'COUNT' AS part, count(*) AS published_at, '' AS id, '' AS author FROM (
                SELECT 1 FROM ${inbox_entry} e WHERE e.reader = r.wanted AND e.published_at >= r.above_at
                AND (e.published_at, e.id, e.author) > (r.above_at, r.above_id, r.above_author) LIMIT r.most) c)
            UNION ALL (SELECT 'ENTRY', e.published_at, e.id, e.author FROM ${inbox_entry} e WHERE e.reader = r.wanted
                AND e.published_at >= r.from_at
                AND (e.published_at, e.id, e.author) >= (r.from_at, r.from_id, r.from_author)
                AND e.published_at <= r.below_at
                AND (e.published_at, e.id, e.author) < (r.below_at, r.below_id, r.below_author))""";

    private final Database database;
    private final int cap;
    private final SnapshotQuery read;

    InboxCounter(Database database, InboxLimits limits) {
        this.database = database;
        this.cap = limits.cap();
        read = new SnapshotQuery(database, limits, QUERIES, COUNT_AND_ENTRIES);
    }

    List<Count> count(List<CountQuery> queries) {
        ParameterTable.Rows rows = QUERIES.fill();
        queries.forEach(query -> add(query, rows));
        Map<Integer, InboxSnapshot> found = database.read("inbox.count", handle -> read.read(handle, rows));
        List<Count> counts = new ArrayList<>(queries.size());
        for (int i = 0; i < queries.size(); i++) {
            InboxSnapshot snapshot = found.get(i);
            counts.add(snapshot == null ? new Count(InboxSnapshot.NOTHING, 0) : snapshot.count(queries.get(i), cap));
        }
        return Collections.unmodifiableList(counts);
    }

    private void add(CountQuery query, ParameterTable.Rows rows) {
        Position from = query.from();
        Position below = query.read().isEmpty() ? Position.LOWEST : query.read().below();
        for (PositionRange range : query.apart().values()) {
            from = Position.min(from, Position.max(range.from(), query.above().next()));
            below = Position.max(below, range.below());
        }
        long most = query.apart().isEmpty() ? query.limit() : cap;
        rows.add(query.reader(), query.above(), from, below, most);
    }
}
