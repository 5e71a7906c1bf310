package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/** The rows of the table {@code inbox_note}: authors with an unfinished follow. Whoever writes them has locked the row of the reader. */
final class InboxNotes {

    private static final ParameterTable READERS = ParameterTable.named("r").text("wanted");
    private static final ParameterTable NOTES =
            ParameterTable.named("r").text("wanted").text("writer").number("given");
    private static final String SAME = "n.reader = r.wanted AND n.author = r.writer";

    private final Database database;
    private final String insert;
    private final String find;
    private final String remove;
    private final String noted;
    private final String drop;

    InboxNotes(Database database) {
        this.database = database;
        Joins joins = new Joins(database.dialect());
        insert = database.sql("INSERT INTO ${inbox_note} (reader, author, token)"
                + " SELECT r.wanted, r.writer, r.given FROM " + NOTES.source(database.dialect()));
        find = database.sql("SELECT n.author, n.token FROM " + joins.from(NOTES, "${inbox_note} n", SAME));
        remove = database.sql(joins.delete(NOTES, "${inbox_note}", "n", SAME));
        noted = database.sql(
                "SELECT DISTINCT n.reader FROM " + joins.from(READERS, "${inbox_note} n", "n.reader = r.wanted"));
        drop = database.sql(joins.delete(READERS, "${inbox_note}", "n", "n.reader = r.wanted"));
    }

    /** Notes authors, in place of earlier notes. */
    void put(Handle handle, String reader, Collection<String> authors, long token) {
        remove(handle, reader, authors);
        database.execute(handle, insert, fill(reader, authors, token));
    }

    /** The tokens of those authors that are noted. */
    Map<String, Long> find(Handle handle, String reader, Collection<String> authors) {
        Map<String, Long> tokens = new HashMap<>();
        database.query(handle, find, fill(reader, authors, 0))
                .map((row, context) -> Map.entry(row.getString("author"), row.getLong("token")))
                .forEach(note -> tokens.put(note.getKey(), note.getValue()));
        return tokens;
    }

    void remove(Handle handle, String reader, Collection<String> authors) {
        database.execute(handle, remove, fill(reader, authors, 0));
    }

    private static ParameterTable.Rows fill(String reader, Collection<String> authors, long token) {
        ParameterTable.Rows filled = NOTES.fill();
        new TreeSet<>(authors).forEach(author -> filled.add(reader, author, token));
        return filled;
    }

    /** Those of some readers that have notes. */
    Set<String> noted(Handle handle, Collection<String> readers) {
        return new HashSet<>(
                database.query(handle, noted, fill(readers)).mapTo(String.class).list());
    }

    void drop(Handle handle, Collection<String> readers) {
        database.execute(handle, drop, fill(readers));
    }

    private static ParameterTable.Rows fill(Collection<String> readers) {
        ParameterTable.Rows filled = READERS.fill();
        new TreeSet<>(readers).forEach(filled::add);
        return filled;
    }
}
