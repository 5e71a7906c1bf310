package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Inbox.Count;
import io.feedkit.spi.Inbox.CountQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Counts entries in an index. As for slices, all that is said of a reader comes from one statement, and PostgreSQL answers a whole batch with one. Where some
 * authors are counted apart, the entries in the range that encloses theirs are read.
 */
final class CountReader {

    private static final List<String> COLUMNS = List.of(
            "wanted",
            "above_at",
            "above_id",
            "above_author",
            "from_at",
            "from_id",
            "from_author",
            "below_at",
            "below_id",
            "below_author",
            "most");
    private static final ParameterTable QUERIES = ParameterTable.named("r")
            .text("wanted")
            .number("above_at")
            .text("above_id")
            .text("above_author")
            .number("from_at")
            .text("from_id")
            .text("from_author")
            .number("below_at")
            .text("below_id")
            .text("below_author")
            .number("most");

    private final Database database;
    private final InboxLimits limits;
    private final String read;

    CountReader(Database database, InboxLimits limits) {
        this.database = database;
        this.limits = limits;
        read = database.sql(read());
    }

    private boolean batches() {
        return database.dialect() == Dialect.POSTGRESQL;
    }

    private String read() {
        String select = "SELECT " + InboxRow.COLUMNS + ", x.part, x.published_at, x.id, x.author";
        String union = """
                ((SELECT 'COUNT' AS part, count(*) AS published_at, '' AS id, '' AS author FROM (
                    SELECT 1 FROM ${inbox_entry} e WHERE e.reader = r.wanted AND e.published_at >= r.above_at
                    AND (e.published_at, e.id, e.author) > (r.above_at, r.above_id, r.above_author) LIMIT r.most) c)
                UNION ALL (SELECT 'ENTRY', e.published_at, e.id, e.author FROM ${inbox_entry} e WHERE e.reader = r.wanted
                    AND e.published_at >= r.from_at AND (e.published_at, e.id, e.author) >= (r.from_at, r.from_id, r.from_author)
                    AND e.published_at <= r.below_at AND (e.published_at, e.id, e.author) < (r.below_at, r.below_id, r.below_author))
                """ + "UNION ALL (" + SliceReader.lowestServed(batches()) + ") UNION ALL ("
                + SliceReader.NOTES + ")) x";
        return batches()
                ? select + ", r.i FROM " + QUERIES.drivingSource(database.dialect())
                        + " JOIN ${inbox} b ON b.reader = r.wanted LEFT JOIN LATERAL " + union + " ON TRUE"
                : SliceReader.named(
                        select + ", 1 AS i FROM ${inbox} b LEFT JOIN " + union + " ON 1 = 1 WHERE b.reader = r.wanted");
    }

    List<Count> count(List<CountQuery> queries) {
        Map<Integer, SliceBuilder> found = database.read("inbox.count", handle -> read(handle, queries));
        List<Count> counts = new ArrayList<>(queries.size());
        for (int i = 0; i < queries.size(); i++) {
            SliceBuilder builder = found.get(i);
            counts.add(
                    builder == null ? new Count(SliceBuilder.NOTHING, 0) : builder.count(queries.get(i), limits.cap()));
        }
        return Collections.unmodifiableList(counts);
    }

    private Map<Integer, SliceBuilder> read(Handle handle, List<CountQuery> queries) {
        Map<Integer, SliceBuilder> found = new HashMap<>();
        if (batches()) {
            ParameterTable.Rows filled = QUERIES.fill();
            queries.forEach(query -> filled.add(values(query, limits.cap())));
            collect(database.query(handle, read, filled), row -> row - 1, found);
            return found;
        }
        for (int i = 0; i < queries.size(); i++) {
            int place = i;
            Query query = database.query(handle, read).bind("above", limits.cap() - 1);
            Object[] values = values(queries.get(i), limits.cap());
            for (int column = 0; column < values.length; column++) {
                query.bind(COLUMNS.get(column), values[column]);
            }
            collect(query, row -> place, found);
        }
        return found;
    }

    private void collect(Query query, IntFunction<Integer> place, Map<Integer, SliceBuilder> found) {
        query.bind("cap", limits.cap())
                .map((row, context) -> {
                    InboxRow inbox = InboxRow.of(row);
                    SliceBuilder builder =
                            found.computeIfAbsent(place.apply(row.getInt("i")), key -> new SliceBuilder(inbox));
                    builder.add(row);
                    return builder;
                })
                .list();
    }

    private static Object[] values(CountQuery query, int cap) {
        Position above = query.above();
        Position from = Position.HIGHEST;
        Position below = Position.LOWEST;
        for (PositionRange range : query.apart().values()) {
            from = Position.min(from, Position.max(range.from(), above.next()));
            below = Position.max(below, range.below());
        }
        return new Object[] {
            query.reader(),
            above.millis(),
            above.id(),
            above.author(),
            from.millis(),
            from.id(),
            from.author(),
            below.millis(),
            below.id(),
            below.author(),
            (long) (query.apart().isEmpty() ? query.limit() : cap)
        };
    }
}
