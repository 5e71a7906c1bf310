package io.feedkit.jdbc.internal.posts;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Outbox.CountQuery;
import io.feedkit.spi.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Counts posts in ranges: one statement for all authors of all queries. PostgreSQL and MySQL stop at the limit; H2 and MariaDB, which take no column of another table in a nested query, count
 * all of a range.
 */
final class PostCounter {

    private static final ParameterTable PARTS = ParameterTable.named("k")
            .text("author")
            .number("from_at")
            .text("from_id")
            .text("from_author")
            .number("below_at")
            .text("below_id")
            .text("below_author")
            .number("most");

    private static final String RANGE = """
             FROM ${post} p WHERE p.author = k.author AND p.published_at >= k.from_at AND p.published_at <= k.below_at
            AND (p.published_at > k.from_at OR (p.id, p.author) >= (k.from_id, k.from_author))
            AND (p.published_at < k.below_at OR (p.id, p.author) < (k.below_id, k.below_author))""";

    private final Database database;
    private final String count;

    PostCounter(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        // Elsewhere a limit is no column.
        boolean stops = dialect == Dialect.POSTGRESQL;
        String each = stops ? "SELECT count(*) FROM (SELECT 1" + RANGE + " LIMIT k.most) c" : "SELECT count(*)" + RANGE;
        count = database.sql("SELECT k.i, (" + each + ") AS answer FROM " + PARTS.source(dialect));
    }

    List<Integer> count(Handle handle, List<CountQuery> queries) {
        ParameterTable.Rows rows = PARTS.fill();
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < queries.size(); i++) {
            CountQuery query = queries.get(i);
            for (String author : query.range().isEmpty() ? List.<String>of() : query.authors()) {
                places.add(i);
                rows.add(values(author, query));
            }
        }
        long[] counts = new long[queries.size()];
        if (!places.isEmpty()) {
            database.query(handle, count, rows)
                    .map((row, context) -> Map.entry(row.getInt("i"), row.getLong("answer")))
                    .forEach(found -> counts[places.get(found.getKey() - 1)] += found.getValue());
        }
        List<Integer> answers = new ArrayList<>(counts.length);
        for (int i = 0; i < counts.length; i++) {
            answers.add((int) Math.min(queries.get(i).limit(), counts[i]));
        }
        return List.copyOf(answers);
    }

    private static Object[] values(String author, CountQuery query) {
        Position from = query.range().from();
        Position below = query.range().below();
        return new Object[] {
            author,
            from.millis(),
            from.id(),
            from.author(),
            below.millis(),
            below.id(),
            below.author(),
            (long) query.limit()
        };
    }
}
