package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Reads slices. A statement sees one moment of the database, so row, entries and notes of a reader come from one statement, as a union: entries of the range,
 * the lowest entry that is served where more than the cap are stored, notes. PostgreSQL answers a whole batch with one statement for each order.
 */
final class SliceReader {

    /** The notes of the reader that is asked for. */
    static final String NOTES = "SELECT 'NOTE', 0, '', n.author FROM ${inbox_note} n WHERE n.reader = r.wanted";

    private static final ParameterTable QUERIES = ParameterTable.named("r")
            .text("wanted")
            .number("from_at")
            .text("from_id")
            .text("from_author")
            .number("below_at")
            .text("below_id")
            .text("below_author")
            .number("most");

    private final Database database;
    private final InboxLimits limits;
    private final Map<Order, String> reads;
    private final Renewal renewal;

    SliceReader(Database database, InboxLimits limits) {
        this.database = database;
        this.limits = limits;
        reads = Map.of(
                Order.NEWEST_FIRST, database.sql(read(Order.NEWEST_FIRST)),
                Order.OLDEST_FIRST, database.sql(read(Order.OLDEST_FIRST)));
        renewal = new Renewal(database, limits);
    }

    private boolean batches() {
        return database.dialect() == Dialect.POSTGRESQL;
    }

    private String read(Order order) {
        String select = "SELECT " + InboxRow.COLUMNS + ", x.part, x.published_at, x.id, x.author";
        String union =
                "((" + entries(order) + ") UNION ALL (" + lowestServed(batches()) + ") UNION ALL (" + NOTES + ")) x";
        return batches()
                ? select + ", r.i FROM " + QUERIES.drivingSource(database.dialect())
                        + " JOIN ${inbox} b ON b.reader = r.wanted LEFT JOIN LATERAL " + union + " ON TRUE"
                : named(select + ", 1 AS i FROM ${inbox} b LEFT JOIN " + union + " ON 1 = 1 WHERE b.reader = r.wanted");
    }

    /** Without lateral joins each query is a statement, with the columns of the queries as parameters. */
    static String named(String text) {
        return text.replaceAll("\\br\\.", ":");
    }

    private String entries(Order order) {
        String range = """
                 e.published_at >= r.from_at AND (e.published_at, e.id, e.author) >= (r.from_at, r.from_id, r.from_author)
                  AND e.published_at <= r.below_at AND (e.published_at, e.id, e.author) < (r.below_at, r.below_id, r.below_author)""";
        String up = " ORDER BY e.published_at, e.id, e.author";
        String down = " ORDER BY e.published_at DESC, e.id DESC, e.author DESC";
        String select = "SELECT 'ENTRY' AS part, e.published_at, e.id, e.author FROM ";
        return order == Order.NEWEST_FIRST
                ? select + "${inbox_entry} e WHERE e.reader = r.wanted AND " + range + down + " LIMIT r.most"
                : select + "(SELECT e.published_at, e.id, e.author FROM ${inbox_entry} e WHERE e.reader = r.wanted"
                        + down + " LIMIT :cap) e WHERE " + range + up + " LIMIT r.most";
    }

    /** Where a range is read from the row, as far above the lowest entry as there are too many; elsewhere so far below the highest. */
    static String lowestServed(boolean batches) {
        String select = "SELECT 'FLOOR', e.published_at, e.id, e.author FROM ${inbox_entry} e WHERE e.reader = ";
        return batches
                ? select + "b.reader AND b.entries > :cap ORDER BY e.published_at, e.id, e.author"
                        + " OFFSET greatest(b.entries - :cap, 0) LIMIT 1"
                : select + "(SELECT f.reader FROM ${inbox} f WHERE f.reader = r.wanted AND f.entries > :cap)"
                        + " ORDER BY e.published_at DESC, e.id DESC, e.author DESC LIMIT 1 OFFSET :above";
    }

    List<Slice> slice(List<SliceQuery> queries) {
        SliceBuilder[] found = new SliceBuilder[queries.size()];
        database.read("inbox.slice", handle -> {
            for (Order order : Order.values()) {
                read(handle, queries, order, found);
            }
            return found;
        });
        renew(queries, found);
        List<Slice> slices = new ArrayList<>(queries.size());
        for (int i = 0; i < found.length; i++) {
            slices.add(found[i] == null ? SliceBuilder.NOTHING : found[i].slice(queries.get(i)));
        }
        return Collections.unmodifiableList(slices);
    }

    private void read(Handle handle, List<SliceQuery> queries, Order order, SliceBuilder[] found) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < queries.size(); i++) {
            if (queries.get(i).order() == order) {
                places.add(i);
            }
        }
        String sql = reads.getOrDefault(order, "");
        if (batches()) {
            if (!places.isEmpty()) {
                ParameterTable.Rows filled = QUERIES.fill();
                places.forEach(place -> filled.add(values(queries.get(place))));
                collect(database.query(handle, sql, filled), places, found);
            }
            return;
        }
        for (int place : places) {
            SliceQuery query = queries.get(place);
            collect(bound(database.query(handle, sql), query), List.of(place), found);
        }
    }

    private void collect(Query query, List<Integer> places, SliceBuilder[] found) {
        query.bind("cap", limits.cap())
                .map((row, context) -> {
                    int place = places.get(row.getInt("i") - 1);
                    SliceBuilder builder = found[place];
                    if (builder == null) {
                        builder = new SliceBuilder(InboxRow.of(row));
                        found[place] = builder;
                    }
                    builder.add(row);
                    return place;
                })
                .list();
    }

    private Query bound(Query query, SliceQuery slice) {
        Position from = slice.range().from();
        Position below = slice.range().below();
        return query.bind("wanted", slice.reader())
                .bind("from_at", from.millis())
                .bind("from_id", from.id())
                .bind("from_author", from.author())
                .bind("below_at", below.millis())
                .bind("below_id", below.id())
                .bind("below_author", below.author())
                .bind("above", limits.cap() - 1)
                .bind("most", slice.limit());
    }

    private static Object[] values(SliceQuery query) {
        Position from = query.range().from();
        Position below = query.range().below();
        return new Object[] {
            query.reader(),
            from.millis(),
            from.id(),
            from.author(),
            below.millis(),
            below.id(),
            below.author(),
            (long) query.limit()
        };
    }

    /** Renews the windows of those that asked for it, unless it was done only just now. */
    private void renew(List<SliceQuery> queries, SliceBuilder[] found) {
        long window = Windows.bounded(limits.liveWindowMillis());
        long unrecorded = Windows.unrecorded(limits);
        TreeSet<String> readers = new TreeSet<>();
        for (int i = 0; i < found.length; i++) {
            if (queries.get(i).renew() && found[i] != null && found[i].isWorthRenewing(window, unrecorded)) {
                readers.add(queries.get(i).reader());
            }
        }
        if (!readers.isEmpty()) {
            renewal.attempt(readers);
        }
    }
}
