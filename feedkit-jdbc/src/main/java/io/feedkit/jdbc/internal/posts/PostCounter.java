package io.feedkit.jdbc.internal.posts;

import io.feedkit.Post;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Outbox.Counted;
import io.feedkit.spi.PositionRange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Counts posts in ranges, with one statement for all authors of all queries, and reads posts with another. PostgreSQL
 * stops at the limit. The other databases do not accept a column as a limit, and read the whole range.
 */
final class PostCounter {

    private static final ParameterTable PARTS = ParameterTable.named("k")
            .text("author")
            .position("from")
            .position("below")
            .number("most");

    private static final String RANGE = """
            p.author = k.author AND p.published_at >= k.from_at AND p.published_at <= k.below_at
            AND (p.published_at > k.from_at OR (p.id, p.author) >= (k.from_id, k.from_author))
            AND (p.published_at < k.below_at OR (p.id, p.author) < (k.below_id, k.below_author))""";

    private final Database database;
    private final String count;
    private final String read;

    PostCounter(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        boolean stops = dialect == Dialect.POSTGRESQL;
        String where = " FROM ${post} p WHERE " + RANGE;
        String each = stops ? "SELECT count(*) FROM (SELECT 1" + where + " LIMIT k.most) c" : "SELECT count(*)" + where;
        count = database.sql("SELECT k.i, (" + each + ") AS answer FROM " + PARTS.source(dialect));
        String columns = "p.author, p.id, p.published_at";
        read = database.sql("SELECT k.i, " + columns + " FROM "
                + (stops
                        ? PARTS.drivingSource(dialect) + " CROSS JOIN LATERAL (SELECT " + columns + where
                                + " LIMIT k.most) p"
                        : PARTS.source(dialect) + dialect.join() + "${post} p ON " + RANGE));
    }

    List<Counted> count(Handle handle, List<CountQuery> queries) {
        long[] counts = new long[queries.size()];
        Parts counted = new Parts(queries, CountQuery::counted);
        if (!counted.places.isEmpty()) {
            database.query(handle, count, counted.rows)
                    .map((row, context) -> Map.entry(counted.place(row), row.getLong("answer")))
                    .forEach(found -> counts[found.getKey()] += found.getValue());
        }
        List<List<Post>> posts = new ArrayList<>();
        queries.forEach(query -> posts.add(new ArrayList<>()));
        Parts toRead = new Parts(queries, CountQuery::read);
        if (!toRead.places.isEmpty()) {
            database.query(handle, read, toRead.rows)
                    .map((row, context) -> Map.entry(toRead.place(row), PostRows.post(row)))
                    .forEach(found -> posts.get(found.getKey()).add(found.getValue()));
        }
        List<Counted> answers = new ArrayList<>(counts.length);
        for (int i = 0; i < counts.length; i++) {
            int limit = queries.get(i).limit();
            List<Post> some = posts.get(i);
            answers.add(new Counted((int) Math.min(limit, counts[i]), some.subList(0, Math.min(limit, some.size()))));
        }
        return List.copyOf(answers);
    }

    /** A range of each author of each query, as the rows of a statement. */
    private static final class Parts {

        private final ParameterTable.Rows rows = PARTS.fill();
        private final List<Integer> places = new ArrayList<>();

        Parts(List<CountQuery> queries, Function<CountQuery, PositionRange> part) {
            for (int i = 0; i < queries.size(); i++) {
                CountQuery query = queries.get(i);
                PositionRange range = part.apply(query);
                for (String author : range.isEmpty() ? List.<String>of() : query.authors()) {
                    places.add(i);
                    rows.add(author, range.from(), range.below(), (long) query.limit());
                }
            }
        }

        /** Returns the index of the query that a row of the answer belongs to. */
        int place(ResultSet row) throws SQLException {
            return places.get(row.getInt("i") - 1);
        }
    }
}
