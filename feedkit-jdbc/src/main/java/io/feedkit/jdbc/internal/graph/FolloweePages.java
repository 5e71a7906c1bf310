package io.feedkit.jdbc.internal.graph;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.FollowGraph.IdPage;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Reads pages of followees. PostgreSQL reads the pages of many readers in one statement; the other databases need a
 * statement for each page.
 */
final class FolloweePages {

    private static final String LATERAL = """
            SELECT q.i, f.author FROM %s CROSS JOIN LATERAL (
                SELECT author FROM ${follow} WHERE reader = q.reader ORDER BY author LIMIT q.rows) AS f
            ORDER BY q.i, f.author
            """;
    private static final String SINGLE = """
            SELECT author FROM ${follow} WHERE reader = :reader AND author > :after
            ORDER BY reader, author LIMIT :rows
            """;

    private final ParameterTable table =
            ParameterTable.named("q").text("reader").number("rows");
    private final String lateralSql;
    private final String singleSql;

    FolloweePages(Database database) {
        lateralSql = database.sql(LATERAL.formatted(table.source(database.dialect())));
        singleSql = database.sql(SINGLE);
    }

    IdPage of(Database database, String reader, String after, int limit) {
        return database.read("graph.followees", handle -> single(database, handle, reader, after, limit));
    }

    List<IdPage> of(Database database, List<String> readers, int limit) {
        boolean together = database.dialect() == Dialect.POSTGRESQL && readers.size() > 1;
        return database.read(
                "graph.followees",
                handle -> together
                        ? together(database, handle, readers, limit)
                        : readers.stream()
                                .map(reader -> single(database, handle, reader, "", limit))
                                .toList());
    }

    private IdPage single(Database database, Handle handle, String reader, String after, int limit) {
        List<String> found = database.query(handle, singleSql)
                .bind("reader", reader)
                .bind("after", after)
                .bind("rows", limit + 1L)
                .mapTo(String.class)
                .list();
        return FollowerPages.page(found, limit);
    }

    private List<IdPage> together(Database database, Handle handle, List<String> readers, int limit) {
        ParameterTable.Rows rows = table.fill();
        List<List<String>> found = new ArrayList<>();
        for (String reader : readers) {
            rows.add(reader, limit + 1L);
            found.add(new ArrayList<>());
        }
        database.query(handle, lateralSql, rows)
                .map((row, context) -> found.get(row.getInt(1) - 1).add(row.getString(2)))
                .forEach(added -> {});
        return found.stream().map(ids -> FollowerPages.page(ids, limit)).toList();
    }
}
