package io.feedkit.jdbc.internal.graph;

import static java.util.stream.Collectors.toCollection;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.spi.WritableFollowGraph.Redirection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/**
 * Writes edges on databases that cannot return the rows that a statement wrote. A transaction that changes an edge
 * first locks the counts of both its users, in the order of ids, and creates them if they are missing. No other
 * transaction can then change the edges between the read and the write.
 */
final class LockingEdgeWriter implements EdgeWriter {

    private record Change(long followers, long followees) {

        Change plus(Change other) {
            return new Change(followers + other.followers, followees + other.followees);
        }
    }

    private final Database database;
    private final Dialect dialect;
    private final ParameterTable edges =
            ParameterTable.named("e").text("reader").text("author");
    private final ParameterTable changes =
            ParameterTable.named("d").text("user_id").number("followers").number("followees");
    private final String presentSql;
    private final String insertSql;
    private final String deleteSql;
    private final String changeSql;
    private final String cleanSql;

    LockingEdgeWriter(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        boolean mySql = dialect.isMySql();
        String edge = edges.source(dialect);
        String change = changes.source(dialect);
        presentSql = database.sql("SELECT e.i FROM " + edge + dialect.join()
                + "${follow} f ON f.reader = e.reader AND f.author = e.author");
        insertSql = database.sql("INSERT INTO ${follow} (reader, author) SELECT e.reader, e.author FROM " + edge);
        deleteSql = database.sql((mySql ? MySql.DELETE : H2.DELETE).formatted(edge));
        changeSql = database.sql((mySql ? MySql.CHANGE : H2.CHANGE).formatted(change));
        cleanSql = database.sql((mySql ? MySql.CLEAN : H2.CLEAN).formatted(change));
    }

    private static final class H2 {
        static final String DELETE = """
                MERGE INTO ${follow} AS f USING (SELECT e.reader, e.author FROM %s) AS x
                ON f.reader = x.reader AND f.author = x.author WHEN MATCHED THEN DELETE
                """;
        static final String CHANGE = """
                MERGE INTO ${follow_count} AS c USING (SELECT d.user_id, d.followers, d.followees FROM %s) AS x
                ON c.user_id = x.user_id
                WHEN MATCHED THEN
                UPDATE SET followers = c.followers + x.followers, followees = c.followees + x.followees
                WHEN NOT MATCHED THEN
                INSERT (user_id, followers, followees) VALUES (x.user_id, x.followers, x.followees)
                """;
        static final String CLEAN = """
                MERGE INTO ${follow_count} AS c USING (SELECT d.user_id FROM %s) AS x ON c.user_id = x.user_id
                WHEN MATCHED AND c.followers = 0 AND c.followees = 0 THEN DELETE
                """;
    }

    private static final class MySql {
        static final String DELETE =
                "DELETE f FROM %s STRAIGHT_JOIN ${follow} AS f ON f.reader = e.reader AND f.author = e.author";
        static final String CHANGE = """
                INSERT INTO ${follow_count} (user_id, followers, followees)
                SELECT d.user_id, d.followers, d.followees FROM %s
                ON DUPLICATE KEY UPDATE
                followers = ${follow_count}.followers + d.followers, followees = ${follow_count}.followees + d.followees
                """;
        static final String CLEAN = """
                DELETE c FROM %s STRAIGHT_JOIN ${follow_count} AS c ON c.user_id = d.user_id
                WHERE c.followers = 0 AND c.followees = 0
                """;
    }

    @Override
    public Set<Edge> add(Collection<Edge> wanted) {
        return database.transaction("graph.add", handle -> {
            List<Edge> candidates = List.copyOf(wanted);
            lock(handle, candidates);
            Set<Edge> added = new LinkedHashSet<>(candidates);
            added.removeAll(present(handle, candidates));
            write(handle, insertSql, added, 1);
            return added;
        });
    }

    @Override
    public Set<Edge> remove(Collection<Edge> unwanted) {
        return database.transaction("graph.remove", handle -> {
            List<Edge> candidates = List.copyOf(unwanted);
            lock(handle, candidates);
            Set<Edge> removed = present(handle, candidates);
            write(handle, deleteSql, removed, -1);
            run(handle, cleanSql, changes(candidates, 0));
            return removed;
        });
    }

    @Override
    public Map<Edge, Redirection> redirect(Collection<Edge> edges, String author) {
        return database.transaction("graph.redirect", handle -> {
            List<Edge> candidates = List.copyOf(edges);
            List<Edge> all = new ArrayList<>(candidates);
            candidates.forEach(edge -> all.add(new Edge(edge.reader(), author)));
            lock(handle, all);
            Set<Edge> present = present(handle, all);
            Set<Edge> removed = new LinkedHashSet<>();
            Set<Edge> added = new LinkedHashSet<>();
            Map<Edge, Redirection> redirected = new HashMap<>();
            for (Edge edge : candidates) {
                if (present.contains(edge)) {
                    Edge other = new Edge(edge.reader(), author);
                    boolean isNew = !present.contains(other) && added.add(other);
                    removed.add(edge);
                    redirected.put(edge, isNew ? Redirection.MOVED : Redirection.MERGED);
                }
            }
            write(handle, deleteSql, removed, -1);
            write(handle, insertSql, added, 1);
            run(handle, cleanSql, changes(all, 0));
            return redirected;
        });
    }

    private void lock(Handle handle, List<Edge> batch) {
        run(handle, changeSql, changes(batch, 0));
    }

    private Set<Edge> present(Handle handle, List<Edge> batch) {
        return database.query(handle, presentSql, rows(batch)).mapTo(Integer.class).stream()
                .map(i -> batch.get(i - 1))
                .collect(toCollection(LinkedHashSet::new));
    }

    private void write(Handle handle, String sql, Set<Edge> batch, int sign) {
        if (!batch.isEmpty()) {
            run(handle, sql, rows(batch));
            run(handle, changeSql, changes(batch, sign));
        }
    }

    private void run(Handle handle, String sql, ParameterTable.Rows rows) {
        database.upsert(() -> database.execute(handle, sql, rows));
    }

    private ParameterTable.Rows rows(Collection<Edge> batch) {
        ParameterTable.Rows rows = edges.fill();
        batch.forEach(edge -> rows.add(edge.reader(), edge.author()));
        return rows;
    }

    private ParameterTable.Rows changes(Collection<Edge> batch, int sign) {
        Map<String, Change> byUser = new TreeMap<>();
        for (Edge edge : batch) {
            byUser.merge(edge.author(), new Change(sign, 0), Change::plus);
            byUser.merge(edge.reader(), new Change(0, sign), Change::plus);
        }
        ParameterTable.Rows rows = changes.fill();
        byUser.forEach((user, change) -> rows.add(user, change.followers(), change.followees()));
        return rows;
    }
}
