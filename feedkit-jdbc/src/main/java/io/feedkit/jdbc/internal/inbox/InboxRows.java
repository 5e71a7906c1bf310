package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Position;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** The rows of the table {@code inbox}: a step on a reader's inbox begins with locking its row, so that steps on one reader follow each other. */
final class InboxRows {

    private static final ParameterTable READERS = ParameterTable.named("r").text("wanted");
    private static final ParameterTable HOLDINGS = ParameterTable.named("r")
            .text("wanted")
            .number("new_at")
            .text("new_id")
            .text("new_author")
            .number("new_entries");

    private final Database database;
    private final String lockOne;
    private final String lockMany;
    private final String find;
    private final String create;
    private final String hold;
    private final String close;
    private final String drop;

    InboxRows(Database database) {
        this.database = database;
        Joins joins = new Joins(database.dialect());
        String match = "b.reader = r.wanted";
        lockOne = database.sql("SELECT " + InboxRow.COLUMNS + " FROM ${inbox} b WHERE b.reader = :reader FOR UPDATE");
        lockMany = database.sql("SELECT " + InboxRow.COLUMNS + " FROM "
                + switch (database.dialect()) {
                    case POSTGRESQL -> joins.from(READERS, "${inbox} b", match) + " ORDER BY b.reader";
                    case MYSQL, MARIADB -> joins.from(READERS, "${inbox} b", match);
                    case H2 ->
                        "${inbox} b WHERE b.reader IN (SELECT r.wanted FROM " + READERS.source(database.dialect())
                                + ") ORDER BY b.reader";
                }
                + database.dialect().forUpdate("b"));
        find = database.sql("SELECT " + InboxRow.COLUMNS + " FROM " + joins.from(READERS, "${inbox} b", match));
        create = database.sql(create());
        hold = database.sql(joins.update(
                HOLDINGS,
                "${inbox}",
                "b",
                "entries = r.new_entries, floor_at = r.new_at, floor_id = r.new_id, floor_author = r.new_author",
                match));
        close = database.sql(joins.update(READERS, "${inbox}", "b", "state = 'ABSENT'", match));
        drop = database.sql(joins.delete(READERS, "${inbox}", "b", match));
    }

    private String create() {
        String columns =
                "(reader, state, generation, epoch, ends_at, lease_until, renewed_at, mark, followees, floor_at, floor_id, floor_author, entries)";
        String values = " VALUES (:reader, 'ABSENT', 0, 0, ${now}, 0, 0, 0, 0, 0, '', '', 0)";
        return switch (database.dialect()) {
            case POSTGRESQL -> "INSERT INTO ${inbox} " + columns + values + " ON CONFLICT DO NOTHING";
            case MYSQL, MARIADB -> "INSERT IGNORE INTO ${inbox} " + columns + values;
            case H2 ->
                "MERGE INTO ${inbox} b USING (SELECT CAST(:reader AS varchar) AS wanted) r ON (b.reader = r.wanted)"
                        + " WHEN NOT MATCHED THEN INSERT " + columns + values;
        };
    }

    /** Locks a reader's row, if there is one. */
    Optional<InboxRow> lock(Handle handle, String reader) {
        return database.query(handle, lockOne)
                .bind("reader", reader)
                .map((row, context) -> InboxRow.of(row))
                .findOne();
    }

    /** Locks a reader's row, which is made if there is none. */
    InboxRow lockOrCreate(Handle handle, String reader) {
        Optional<InboxRow> row = lock(handle, reader);
        while (row.isEmpty()) {
            create(handle, reader);
            row = lock(handle, reader);
        }
        return row.get();
    }

    private void create(Handle handle, String reader) {
        database.upsert(
                () -> database.update(handle, create).bind("reader", reader).execute());
    }

    /** Locks the rows of those readers that have one, in the order of the readers. */
    Map<String, InboxRow> lock(Handle handle, Collection<String> readers) {
        return rows(handle, lockMany, readers);
    }

    /** Reads the rows of those readers that have one. */
    Map<String, InboxRow> find(Handle handle, Collection<String> readers) {
        return rows(handle, find, readers);
    }

    private Map<String, InboxRow> rows(Handle handle, String sql, Collection<String> readers) {
        Query query = database.query(handle, sql, fill(readers));
        Map<String, InboxRow> rows = new HashMap<>();
        query.map((row, context) -> InboxRow.of(row)).forEach(row -> rows.put(row.reader(), row));
        return rows;
    }

    private static ParameterTable.Rows fill(Collection<String> readers) {
        ParameterTable.Rows filled = READERS.fill();
        new TreeSet<>(readers).forEach(filled::add);
        return filled;
    }

    /** Notes floors and numbers of entries in rows that are locked. */
    void hold(Handle handle, Collection<InboxRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        ParameterTable.Rows filled = HOLDINGS.fill();
        for (InboxRow row : rows) {
            Position floor = row.floor();
            filled.add(row.reader(), floor.millis(), floor.id(), floor.author(), (long) row.entries());
        }
        database.execute(handle, hold, filled);
    }

    /** Closes inboxes whose time is over; the entries stay until somebody opens another, or sweeps. */
    void close(Handle handle, Collection<String> readers) {
        if (!readers.isEmpty()) {
            database.execute(handle, close, fill(readers));
        }
    }

    /** Deletes rows that are locked. */
    void drop(Handle handle, List<String> readers) {
        database.execute(handle, drop, fill(readers));
    }
}
