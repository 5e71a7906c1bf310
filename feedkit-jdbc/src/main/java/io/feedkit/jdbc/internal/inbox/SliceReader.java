package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/** Reads slices of inboxes, and renews the live windows of readers whose queries request it. */
final class SliceReader {

    private static final ParameterTable QUERIES = ParameterTable.named("r")
            .text("wanted")
            .position("from")
            .position("below")
            .number("most");

    private final Database database;
    private final Map<Order, SnapshotQuery> reads = new EnumMap<>(Order.class);
    private final WindowRenewal renewal;

    SliceReader(Database database, InboxLimits limits) {
        this.database = database;
        for (Order order : Order.values()) {
            reads.put(order, new SnapshotQuery(database, limits, QUERIES, entries(order)));
        }
        renewal = new WindowRenewal(database, limits);
    }

    private static String entries(Order order) {
        String range = """
                 e.published_at >= r.from_at
                  AND (e.published_at, e.id, e.author) >= (r.from_at, r.from_id, r.from_author)
                  AND e.published_at <= r.below_at
                  AND (e.published_at, e.id, e.author) < (r.below_at, r.below_id, r.below_author)""";
        String up = " ORDER BY e.published_at, e.id, e.author";
        String down = " ORDER BY e.published_at DESC, e.id DESC, e.author DESC";
        String select = "(SELECT 'ENTRY' AS part, e.published_at, e.id, e.author FROM ";
        return order == Order.NEWEST_FIRST
                ? select + "${inbox_entry} e WHERE e.reader = r.wanted AND " + range + down + " LIMIT r.most)"
                : select + "(SELECT e.published_at, e.id, e.author FROM ${inbox_entry} e WHERE e.reader = r.wanted"
                        + down + " LIMIT :cap) e WHERE " + range + up + " LIMIT r.most)";
    }

    List<Slice> slice(List<SliceQuery> queries) {
        Map<Integer, InboxSnapshot> found = database.read("inbox.slice", handle -> read(handle, queries));
        renew(queries, found);
        List<Slice> slices = new ArrayList<>(queries.size());
        for (int i = 0; i < queries.size(); i++) {
            InboxSnapshot snapshot = found.get(i);
            slices.add(snapshot == null ? InboxSnapshot.NOTHING : snapshot.slice(queries.get(i)));
        }
        return Collections.unmodifiableList(slices);
    }

    private Map<Integer, InboxSnapshot> read(Handle handle, List<SliceQuery> queries) {
        Map<Integer, InboxSnapshot> found = new HashMap<>();
        reads.forEach((order, read) -> {
            List<Integer> indices = new ArrayList<>();
            ParameterTable.Rows rows = QUERIES.fill();
            for (int i = 0; i < queries.size(); i++) {
                SliceQuery query = queries.get(i);
                if (query.order() == order) {
                    indices.add(i);
                    rows.add(query.reader(), query.range().from(), query.range().below(), (long) query.limit());
                }
            }
            read.read(handle, rows).forEach((row, snapshot) -> found.put(indices.get(row), snapshot));
        });
        return found;
    }

    private void renew(List<SliceQuery> queries, Map<Integer, InboxSnapshot> found) {
        TreeSet<String> readers = new TreeSet<>();
        found.forEach((i, snapshot) -> {
            if (queries.get(i).renew() && renewal.isDue(snapshot.row())) {
                readers.add(queries.get(i).reader());
            }
        });
        if (!readers.isEmpty()) {
            renewal.attempt(readers);
        }
    }
}
