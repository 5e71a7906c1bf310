package io.feedkit.jdbc.internal.graph;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Reads pages of followers. PostgreSQL reads all pages of a call in one statement; the other databases need a statement
 * for each page.
 */
public final class FollowerPages {

    private static final String LATERAL = """
            SELECT q.i, f.reader FROM %s CROSS JOIN LATERAL (
                SELECT reader FROM ${follow}
                WHERE author = q.author AND reader >= q.lowest AND reader < q.below
                ORDER BY reader LIMIT q.rows) AS f
            ORDER BY q.i, f.reader
            """;
    private static final String SINGLE = """
            SELECT reader FROM ${follow}
            WHERE author = :author AND reader >= :lowest AND reader < :below
            ORDER BY author, reader LIMIT :rows
            """;

    private final Database database;
    private final ParameterTable table = ParameterTable.named("q")
            .text("author")
            .text("lowest")
            .text("below")
            .number("rows");
    private final String lateralSql;
    private final String singleSql;

    FollowerPages(Database database) {
        this.database = database;
        lateralSql = database.sql(LATERAL.formatted(table.source(database.dialect())));
        singleSql = database.sql(SINGLE);
    }

    List<IdPage> of(List<FollowerQuery> queries) {
        boolean together = database.dialect() == Dialect.POSTGRESQL && queries.size() > 1;
        return database.read("graph.followers", handle -> {
            List<List<String>> found = together ? together(handle, queries) : oneByOne(handle, queries);
            List<IdPage> pages = new ArrayList<>(queries.size());
            for (int i = 0; i < queries.size(); i++) {
                pages.add(page(found.get(i), queries.get(i).limit()));
            }
            return List.copyOf(pages);
        });
    }

    private List<List<String>> together(Handle handle, List<FollowerQuery> queries) {
        ParameterTable.Rows rows = table.fill();
        List<List<String>> found = new ArrayList<>();
        for (FollowerQuery query : queries) {
            rows.add(query.author(), lowest(query), query.range().below(), query.limit() + 1L);
            found.add(new ArrayList<>());
        }
        database.query(handle, lateralSql, rows)
                .map((row, context) -> found.get(row.getInt(1) - 1).add(row.getString(2)))
                .forEach(added -> {});
        return found;
    }

    private List<List<String>> oneByOne(Handle handle, List<FollowerQuery> queries) {
        List<List<String>> found = new ArrayList<>();
        for (FollowerQuery query : queries) {
            found.add(database.query(handle, singleSql)
                    .bind("author", query.author())
                    .bind("lowest", lowest(query))
                    .bind("below", query.range().below())
                    .bind("rows", query.limit() + 1L)
                    .mapTo(String.class)
                    .list());
        }
        return found;
    }

    /** The next id after an id is the id with the lowest legal character appended. */
    public static String lowest(FollowerQuery query) {
        String next = query.after().isEmpty() ? "" : query.after() + "!";
        String from = query.range().from();
        return next.compareTo(from) > 0 ? next : from;
    }

    /** Makes a page of the ids that a query found. One id more than the limit means that there are further ones. */
    public static IdPage page(List<String> found, int limit) {
        boolean more = found.size() > limit;
        return new IdPage(more ? found.subList(0, limit) : found, more);
    }
}
