package io.feedkit.jdbc.internal.inbox.table;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/**
 * The table {@code inbox}. Every write to a reader's inbox first locks the reader's row here, so writes for one reader
 * follow each other.
 */
public final class InboxTable {

    /** Readers as a parameter table {@code r}; the column is {@code wanted}. */
    public static final ParameterTable READERS = ParameterTable.named("r").text("wanted");

    private static final ParameterTable CONTENTS =
            ParameterTable.named("r").text("wanted").position("new").number("new_entries");

    private static final ParameterTable EPOCHS = ParameterTable.named("r")
            .text("wanted")
            .text("new_state")
            .number("new_ends")
            .number("new_entries")
            .number("new_followees");

    private final Database database;
    private final String lockOne;
    private final String lockMany;
    private final String find;
    private final String create;
    private final String recordContents;
    private final String recordEpochs;
    private final String close;
    private final String delete;

    /** Prepares the statements for a database. */
    public InboxTable(Database database) {
        this.database = database;
        Joins joins = new Joins(database.dialect());
        String match = "b.reader = r.wanted";
        String select = "SELECT " + InboxRow.COLUMNS + " FROM ";
        lockOne = database.sql(select + "${inbox} b WHERE b.reader = :reader FOR UPDATE");
        lockMany = database.sql(select
                + switch (database.dialect()) {
                    case POSTGRESQL -> joins.from(READERS, "${inbox} b", match) + " ORDER BY b.reader";
                    case MYSQL, MARIADB -> joins.from(READERS, "${inbox} b", match);
                    case H2 ->
                        "${inbox} b WHERE b.reader IN (SELECT r.wanted FROM " + READERS.source(database.dialect())
                                + ") ORDER BY b.reader";
                }
                + database.dialect().forUpdate("b"));
        find = database.sql(select + joins.from(READERS, "${inbox} b", match));
        create = database.sql(create());
        recordContents = database.sql(joins.update(
                CONTENTS,
                "${inbox}",
                "b",
                "entries = r.new_entries, floor_at = r.new_at, floor_id = r.new_id, floor_author = r.new_author",
                match));
        recordEpochs = database.sql(joins.update(
                EPOCHS,
                "${inbox}",
                "b",
                "epoch = :epoch, state = r.new_state, ends_at = r.new_ends, entries = r.new_entries,"
                        + " followees = r.new_followees",
                match));
        close = database.sql(joins.update(READERS, "${inbox}", "b", "state = 'ABSENT'", match));
        delete = database.sql(joins.delete(READERS, "${inbox}", "b", match));
    }

    private String create() {
        String columns = "(reader, state, generation, epoch, ends_at, lease_until, renewed_at, mark, followees,"
                + " floor_at, floor_id, floor_author, entries)";
        String values = " VALUES (:reader, 'ABSENT', 0, 0, ${now}, 0, 0, 0, 0, 0, '', '', 0)";
        return switch (database.dialect()) {
            case POSTGRESQL -> "INSERT INTO ${inbox} " + columns + values + " ON CONFLICT DO NOTHING";
            case MYSQL, MARIADB -> "INSERT IGNORE INTO ${inbox} " + columns + values;
            case H2 ->
                "MERGE INTO ${inbox} b USING (SELECT CAST(:reader AS varchar) AS wanted) r ON (b.reader = r.wanted)"
                        + " WHEN NOT MATCHED THEN INSERT " + columns + values;
        };
    }

    /** Locks the reader's row, if there is one. */
    public Optional<InboxRow> lock(Handle handle, String reader) {
        return database.query(handle, lockOne)
                .bind("reader", reader)
                .map((row, context) -> InboxRow.of(row))
                .findOne();
    }

    /** Locks the reader's row, and creates it if there is none. */
    public InboxRow lockOrCreate(Handle handle, String reader) {
        Optional<InboxRow> row = lock(handle, reader);
        while (row.isEmpty()) {
            create(handle, reader);
            row = lock(handle, reader);
        }
        return row.get();
    }

    /** Locks the rows of the readers, and creates those that are missing. */
    public Map<String, InboxRow> lockOrCreate(Handle handle, Collection<String> readers) {
        Map<String, InboxRow> rows = lock(handle, readers);
        new TreeSet<>(readers)
                .forEach(reader -> rows.computeIfAbsent(reader, missing -> lockOrCreate(handle, missing)));
        return rows;
    }

    private void create(Handle handle, String reader) {
        database.upsert(
                () -> database.update(handle, create).bind("reader", reader).execute());
    }

    /** Locks the rows of the readers that have one, in the order of the readers. */
    public Map<String, InboxRow> lock(Handle handle, Collection<String> readers) {
        return rows(handle, lockMany, readers);
    }

    /** Reads the rows of the readers that have one. */
    public Map<String, InboxRow> find(Handle handle, Collection<String> readers) {
        return rows(handle, find, readers);
    }

    private Map<String, InboxRow> rows(Handle handle, String sql, Collection<String> readers) {
        Map<String, InboxRow> rows = new HashMap<>();
        database.query(handle, sql, READERS.ofIds(readers))
                .map((row, context) -> InboxRow.of(row))
                .forEach(row -> rows.put(row.reader(), row));
        return rows;
    }

    /** Writes the floors and the numbers of entries of locked rows. */
    public void recordContents(Handle handle, Collection<InboxRow> rows) {
        if (!rows.isEmpty()) {
            ParameterTable.Rows contents = CONTENTS.fill();
            rows.forEach(row -> contents.add(row.reader(), row.floor(), (long) row.entries()));
            database.execute(handle, recordContents, contents);
        }
    }

    /** Writes the states, ends, numbers of entries and checksums of locked rows, and sets the same epoch for all. */
    public void recordEpochs(Handle handle, Collection<InboxRow> rows, long epoch) {
        ParameterTable.Rows epochs = EPOCHS.fill();
        rows.stream()
                .sorted(Comparator.comparing(InboxRow::reader))
                .forEach(row -> epochs.add(
                        row.reader(), row.state().name(), row.endsAt(), (long) row.entries(), row.followees()));
        database.update(handle, recordEpochs, epochs).bind("epoch", epoch).execute();
    }

    /** Closes expired inboxes. Their entries stay until a new inbox is opened, or the cleanup deletes them. */
    public void close(Handle handle, Collection<String> readers) {
        if (!readers.isEmpty()) {
            database.execute(handle, close, READERS.ofIds(readers));
        }
    }

    /** Deletes locked rows. */
    public void delete(Handle handle, Collection<String> readers) {
        database.execute(handle, delete, READERS.ofIds(readers));
    }
}
