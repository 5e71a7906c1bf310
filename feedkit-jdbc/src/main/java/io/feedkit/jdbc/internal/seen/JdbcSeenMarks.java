package io.feedkit.jdbc.internal.seen;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenMarks;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The marks: a row for each reader in the table {@code seen}. Rows are written in the order of readers. */
public final class JdbcSeenMarks implements SeenMarks {

    private static final String RAISE_POSTGRES = """
            INSERT INTO ${seen} AS s (reader, seen_at, seen_id, seen_author)
            SELECT v.reader, v.at, v.id, v.author FROM %s ORDER BY v.reader
            ON CONFLICT (reader) DO UPDATE
            SET seen_at = excluded.seen_at, seen_id = excluded.seen_id, seen_author = excluded.seen_author
            WHERE (s.seen_at, s.seen_id, s.seen_author) < (excluded.seen_at, excluded.seen_id, excluded.seen_author)
            """;
    private static final String RAISE_H2 = """
            MERGE INTO ${seen} AS s USING (SELECT v.reader, v.at, v.id, v.author FROM %s) AS x ON s.reader = x.reader
            WHEN MATCHED AND (s.seen_at, s.seen_id, s.seen_author) < (x.at, x.id, x.author)
            THEN UPDATE SET seen_at = x.at, seen_id = x.id, seen_author = x.author
            WHEN NOT MATCHED THEN INSERT (reader, seen_at, seen_id, seen_author) VALUES (x.reader, x.at, x.id, x.author)
            """;

    /**
     * Each assignment sees the ones before it. The author is raised first and the time last, so that the later
     * comparisons still find the new mark higher, or find it equal to what they assign.
     */
    private static final String RAISE_MYSQL = """
            INSERT INTO ${seen} (reader, seen_at, seen_id, seen_author)
            SELECT v.reader, v.at, v.id, v.author FROM %s
            ON DUPLICATE KEY UPDATE
            seen_author = IF((v.at, v.id, v.author) > (${seen}.seen_at, ${seen}.seen_id, ${seen}.seen_author),
                v.author, ${seen}.seen_author),
            seen_id = IF((v.at, v.id, v.author) > (${seen}.seen_at, ${seen}.seen_id, ${seen}.seen_author),
                v.id, ${seen}.seen_id),
            seen_at = GREATEST(v.at, ${seen}.seen_at)
            """;

    private final Database database;
    private final Dialect dialect;
    private final ParameterTable marks =
            ParameterTable.named("v").text("reader").number("at").text("id").text("author");
    private final ParameterTable readers = ParameterTable.named("r").text("reader");
    private final String raiseSql;
    private final String readSql;
    private final String forgetSql;

    /** The marks in a database. */
    public JdbcSeenMarks(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        String reader = readers.source(dialect);
        String raise = switch (dialect) {
            case POSTGRESQL -> RAISE_POSTGRES;
            case H2 -> RAISE_H2;
            case MYSQL, MARIADB -> RAISE_MYSQL;
        };
        String forget = switch (dialect) {
            case POSTGRESQL -> "DELETE FROM ${seen} AS s USING %s WHERE s.reader = r.reader";
            case H2 ->
                "MERGE INTO ${seen} AS s USING (SELECT r.reader FROM %s) AS x ON s.reader = x.reader"
                        + " WHEN MATCHED THEN DELETE";
            case MYSQL, MARIADB -> "DELETE s FROM %s STRAIGHT_JOIN ${seen} AS s ON s.reader = r.reader";
        };
        raiseSql = database.sql(raise.formatted(marks.source(dialect)));
        forgetSql = database.sql(forget.formatted(reader));
        readSql = database.sql("SELECT s.reader, s.seen_at, s.seen_id, s.seen_author FROM " + reader + dialect.join()
                + "${seen} s ON s.reader = r.reader");
    }

    @Override
    public void markSeen(List<Seen> seen) {
        if (seen.isEmpty()) {
            return;
        }
        Map<String, Position> highest = new TreeMap<>();
        seen.forEach(mark -> highest.merge(mark.reader(), mark.position(), Position::max));
        ParameterTable.Rows rows = marks.fill();
        highest.forEach((reader, at) -> rows.add(reader, at.millis(), at.id(), at.author()));
        database.statement(
                "seenMarks.markSeen", handle -> database.upsert(() -> database.execute(handle, raiseSql, rows)));
    }

    @Override
    public List<Position> lastSeen(List<String> wanted) {
        if (wanted.isEmpty()) {
            return List.of();
        }
        Map<String, Position> found = new HashMap<>();
        database.read("seenMarks.lastSeen", handle -> {
            database.query(handle, readSql, readers.ofIds(wanted))
                    .map((row, context) -> Map.entry(
                            row.getString(1), new Position(row.getLong(2), row.getString(3), row.getString(4))))
                    .forEach(mark -> found.put(mark.getKey(), mark.getValue()));
            return found;
        });
        return wanted.stream()
                .map(reader -> found.getOrDefault(reader, Position.LOWEST))
                .toList();
    }

    @Override
    public void forget(Collection<String> unwanted) {
        if (!unwanted.isEmpty()) {
            database.statement(
                    "seenMarks.forget", handle -> database.execute(handle, forgetSql, readers.ofIds(unwanted)));
        }
    }
}
