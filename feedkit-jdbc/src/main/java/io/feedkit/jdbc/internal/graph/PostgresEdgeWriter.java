package io.feedkit.jdbc.internal.graph;

import static java.util.stream.Collectors.toCollection;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.spi.WritableFollowGraph.Redirection;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Writes edges on PostgreSQL: one statement changes edges and counts. It locks the edges in the order of their keys,
 * and then the counts in the order of theirs. The counts come last, so the row of a user with many followers is locked
 * only for the commit.
 */
final class PostgresEdgeWriter implements EdgeWriter {

    /** {@code %1$s} is the written edges, {@code %2$s} the sign of the change. */
    private static final String COUNTED = """
            counted AS (
                INSERT INTO ${follow_count} AS c (user_id, followers, followees)
                SELECT d.user_id, sum(d.followers), sum(d.followees)
                FROM (SELECT author AS user_id, %2$s1 AS followers, 0 AS followees FROM %1$s
                    UNION ALL SELECT reader, 0, %2$s1 FROM %1$s) AS d
                GROUP BY d.user_id ORDER BY d.user_id
                ON CONFLICT (user_id) DO UPDATE
                SET followers = c.followers + excluded.followers, followees = c.followees + excluded.followees)
            SELECT reader, author FROM %1$s
            """;

    private static final String ADD = """
            WITH added AS (
                INSERT INTO ${follow} (reader, author)
                SELECT e.reader, e.author FROM %s ORDER BY e.reader, e.author
                ON CONFLICT DO NOTHING RETURNING reader, author),
            """;

    private static final String REMOVE = """
            WITH held AS MATERIALIZED (
                SELECT f.reader, f.author FROM %s JOIN ${follow} AS f ON f.reader = e.reader AND f.author = e.author
                ORDER BY f.reader, f.author FOR UPDATE OF f),
            removed AS (
                DELETE FROM ${follow} AS f USING held AS h WHERE f.reader = h.reader AND f.author = h.author
                RETURNING f.reader, f.author),
            """;

    /** {@code %s} is the edges to redirect. */
    private static final String REDIRECT = REMOVE + """
            added AS (
                INSERT INTO ${follow} (reader, author)
                SELECT DISTINCT r.reader, CAST(:other AS varchar) FROM removed r ORDER BY r.reader
                ON CONFLICT DO NOTHING RETURNING reader, author),
            counted AS (
                INSERT INTO ${follow_count} AS c (user_id, followers, followees)
                SELECT d.user_id, sum(d.followers), sum(d.followees)
                FROM (SELECT author AS user_id, -1 AS followers, 0 AS followees FROM removed
                    UNION ALL SELECT reader, 0, -1 FROM removed
                    UNION ALL SELECT author, 1, 0 FROM added
                    UNION ALL SELECT reader, 0, 1 FROM added) AS d
                GROUP BY d.user_id ORDER BY d.user_id
                ON CONFLICT (user_id) DO UPDATE
                SET followers = c.followers + excluded.followers, followees = c.followees + excluded.followees)
            SELECT r.reader, r.author, a.reader IS NOT NULL FROM removed r LEFT JOIN added a ON a.reader = r.reader
            """;

    private static final String CLEAN = """
            DELETE FROM ${follow_count} AS c USING %s
            WHERE c.user_id = u.user_id AND c.followers = 0 AND c.followees = 0
            """;

    private final Database database;
    private final ParameterTable edges =
            ParameterTable.named("e").text("reader").text("author");
    private final ParameterTable users = ParameterTable.named("u").text("user_id");
    private final String addSql;
    private final String removeSql;
    private final String redirectSql;
    private final String cleanSql;

    PostgresEdgeWriter(Database database) {
        this.database = database;
        String source = edges.source(database.dialect());
        addSql = database.sql(ADD.formatted(source) + COUNTED.formatted("added", ""));
        removeSql = database.sql(REMOVE.formatted(source) + COUNTED.formatted("removed", "-"));
        redirectSql = database.sql(REDIRECT.formatted(source));
        cleanSql = database.sql(CLEAN.formatted(users.source(database.dialect())));
    }

    @Override
    public Set<Edge> add(Collection<Edge> wanted) {
        return database.statement("graph.add", handle -> written(handle, addSql, wanted));
    }

    @Override
    public Set<Edge> remove(Collection<Edge> unwanted) {
        return database.transaction("graph.remove", handle -> {
            Set<Edge> removed = written(handle, removeSql, unwanted);
            if (!removed.isEmpty()) {
                clean(handle, removed);
            }
            return removed;
        });
    }

    @Override
    public Map<Edge, Redirection> redirect(Collection<Edge> edges, String author) {
        return database.transaction("graph.redirect", handle -> {
            Map<Edge, Redirection> redirected = new HashMap<>();
            database.query(handle, redirectSql, rows(edges))
                    .bind("other", author)
                    .map((row, context) -> Map.entry(
                            new Edge(row.getString(1), row.getString(2)),
                            row.getBoolean(3) ? Redirection.MOVED : Redirection.MERGED))
                    .forEach(each -> redirected.put(each.getKey(), each.getValue()));
            if (!redirected.isEmpty()) {
                clean(handle, redirected.keySet());
            }
            return redirected;
        });
    }

    private Set<Edge> written(Handle handle, String sql, Collection<Edge> batch) {
        return database.query(handle, sql, rows(batch))
                .map((row, context) -> new Edge(row.getString(1), row.getString(2)))
                .collect(toCollection(HashSet::new));
    }

    private ParameterTable.Rows rows(Collection<Edge> batch) {
        ParameterTable.Rows rows = edges.fill();
        batch.forEach(edge -> rows.add(edge.reader(), edge.author()));
        return rows;
    }

    private void clean(Handle handle, Set<Edge> removed) {
        Set<String> ends = new HashSet<>();
        removed.forEach(edge -> {
            ends.add(edge.reader());
            ends.add(edge.author());
        });
        database.execute(handle, cleanSql, users.ofIds(ends));
    }
}
