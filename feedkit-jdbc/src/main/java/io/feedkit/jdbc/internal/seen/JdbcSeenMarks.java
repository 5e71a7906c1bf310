package io.feedkit.jdbc.internal.seen;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.IdWalk;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenPosts;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;

/**
 * The seen marks: a row for each reader in the table {@code seen}, with the reader's {@link SeenPosts} in base64url. A
 * mark is replaced only if it is unchanged since it was read; otherwise it is read again. Rows are written in the order
 * of readers.
 */
public final class JdbcSeenMarks implements SeenMarks {

    private final Database database;
    private final Dialect dialect;
    private final ParameterTable marks =
            ParameterTable.named("v").text("reader").longText("expected").longText("posts");
    private final ParameterTable readers = ParameterTable.named("r").text("reader");
    private final IdWalk walk;
    private final String insertSql;
    private final String replaceSql;
    private final String readSql;
    private final String forgetSql;

    /** Creates the marks in a database. */
    public JdbcSeenMarks(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        walk = IdWalk.ofUnique(database, "seenMarks.forEachReader", "${seen}", "reader");
        String reader = readers.source(dialect);
        String insert = switch (dialect) {
            case POSTGRESQL ->
                "INSERT INTO ${seen} (reader, posts) SELECT v.reader, v.posts FROM %s ORDER BY v.reader"
                        + " ON CONFLICT (reader) DO NOTHING";
            case H2 ->
                "MERGE INTO ${seen} AS s USING (SELECT v.reader, v.posts FROM %s) AS x ON s.reader = x.reader"
                        + " WHEN NOT MATCHED THEN INSERT (reader, posts) VALUES (x.reader, x.posts)";
            case MYSQL, MARIADB -> "INSERT IGNORE INTO ${seen} (reader, posts) SELECT v.reader, v.posts FROM %s";
        };
        String replace = switch (dialect) {
            case POSTGRESQL ->
                "UPDATE ${seen} AS s SET posts = v.posts FROM %s WHERE s.reader = v.reader AND s.posts = v.expected";
            case H2 ->
                "MERGE INTO ${seen} AS s USING (SELECT v.reader, v.expected, v.posts FROM %s) AS x"
                        + " ON s.reader = x.reader WHEN MATCHED AND s.posts = x.expected"
                        + " THEN UPDATE SET posts = x.posts";
            case MYSQL, MARIADB ->
                "UPDATE %s STRAIGHT_JOIN ${seen} AS s ON s.reader = v.reader SET s.posts = v.posts"
                        + " WHERE s.posts = v.expected";
        };
        String forget = switch (dialect) {
            case POSTGRESQL -> "DELETE FROM ${seen} AS s USING %s WHERE s.reader = r.reader";
            case H2 ->
                "MERGE INTO ${seen} AS s USING (SELECT r.reader FROM %s) AS x ON s.reader = x.reader"
                        + " WHEN MATCHED THEN DELETE";
            case MYSQL, MARIADB -> "DELETE s FROM %s STRAIGHT_JOIN ${seen} AS s ON s.reader = r.reader";
        };
        insertSql = database.sql(insert.formatted(marks.source(dialect)));
        replaceSql = database.sql(replace.formatted(marks.source(dialect)));
        forgetSql = database.sql(forget.formatted(reader));
        readSql = database.sql(
                "SELECT s.reader, s.posts FROM " + reader + dialect.join() + "${seen} s ON s.reader = r.reader");
    }

    @Override
    public void markSeen(List<Seen> seen) {
        change("seenMarks.markSeen", seen, SeenPosts::and);
    }

    @Override
    public void reset(List<Seen> seen) {
        change("seenMarks.reset", seen, (before, posts) -> posts);
    }

    private void change(String operation, List<Seen> seen, BinaryOperator<SeenPosts> merge) {
        Map<String, SeenPosts> added = new TreeMap<>();
        seen.forEach(mark -> added.merge(mark.reader(), mark.posts(), merge));
        while (!added.isEmpty()) {
            Map<String, SeenPosts> stored = read(operation, added.keySet());
            Map<String, SeenPosts> left = new TreeMap<>(added);
            left.replaceAll((reader, posts) -> merge.apply(stored.getOrDefault(reader, posts), posts));
            left.entrySet()
                    .removeIf(mark -> mark.getValue().equals(stored.getOrDefault(mark.getKey(), SeenPosts.NOTHING)));
            ParameterTable.Rows toInsert = marks.fill();
            ParameterTable.Rows toReplace = marks.fill();
            left.forEach((reader, posts) -> {
                SeenPosts known = stored.get(reader);
                if (known == null) {
                    toInsert.add(reader, "", text(posts));
                } else {
                    toReplace.add(reader, text(known), text(posts));
                }
            });
            if (write(operation, insertSql, toInsert) && write(operation, replaceSql, toReplace)) {
                return;
            }
            added.keySet().retainAll(left.keySet());
        }
    }

    /** Writes marks, and returns whether all of them were still as expected. */
    private boolean write(String operation, String sql, ParameterTable.Rows rows) {
        return rows.size() == 0
                || rows.size()
                        == database.statement(
                                operation, handle -> database.upsert(() -> database.execute(handle, sql, rows)));
    }

    @Override
    public List<SeenPosts> lastSeen(List<String> wanted) {
        Map<String, SeenPosts> found = read("seenMarks.lastSeen", wanted);
        return wanted.stream()
                .map(reader -> found.getOrDefault(reader, SeenPosts.NOTHING))
                .toList();
    }

    private Map<String, SeenPosts> read(String operation, Collection<String> wanted) {
        Map<String, SeenPosts> found = new HashMap<>();
        if (!wanted.isEmpty()) {
            database.read(operation, handle -> {
                database.query(handle, readSql, readers.ofIds(wanted))
                        .map((row, context) -> Map.entry(row.getString(1), posts(row.getString(2))))
                        .forEach(mark -> found.put(mark.getKey(), mark.getValue()));
                return found;
            });
        }
        return found;
    }

    private static String text(SeenPosts posts) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(posts.toBytes());
    }

    private static SeenPosts posts(String text) {
        return SeenPosts.of(Base64.getUrlDecoder().decode(text));
    }

    @Override
    public void forget(Collection<String> unwanted) {
        if (!unwanted.isEmpty()) {
            database.statement(
                    "seenMarks.forget", handle -> database.execute(handle, forgetSql, readers.ofIds(unwanted)));
        }
    }

    @Override
    public void forEachReader(Predicate<List<String>> visitor) {
        walk.each(visitor);
    }
}
