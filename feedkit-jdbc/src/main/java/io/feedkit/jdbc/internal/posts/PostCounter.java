package io.feedkit.jdbc.internal.posts;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Outbox.CountQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Counts posts in ranges, with one statement for all authors of all queries. PostgreSQL stops counting at the limit.
 * The other databases accept no column as a limit, and count the whole range.
 */
final class PostCounter {

    private static final ParameterTable PARTS = ParameterTable.named("k")
            .text("author")
            .position("from")
            .position("below")
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
                rows.add(author, query.range().from(), query.range().below(), (long) query.limit());
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
}
