package io.feedkit.jdbc.internal.inbox;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.Rows;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/** The rows of the table {@code inbox_note}: authors with an unfinished follow. Whoever writes them has locked the row of the reader. */
final class InboxNotes {

    private static final Rows READERS = Rows.named("r").text("wanted");

    private final Database database;
    private final String insert;
    private final String removeAny;
    private final String remove;
    private final String noted;
    private final String drop;

    InboxNotes(Database database) {
        this.database = database;
        Joins joins = new Joins(database.dialect());
        insert = database.sql("INSERT INTO ${inbox_note} (reader, author, token) VALUES (:reader, :author, :token)");
        removeAny = database.sql("DELETE FROM ${inbox_note} WHERE reader = :reader AND author = :author");
        remove = database.sql(
                "DELETE FROM ${inbox_note} WHERE reader = :reader AND author = :author AND token = :token");
        noted = database.sql(
                "SELECT DISTINCT n.reader FROM " + joins.from(READERS, "${inbox_note} n", "n.reader = r.wanted"));
        drop = database.sql(joins.delete(READERS, "${inbox_note}", "n", "n.reader = r.wanted"));
    }

    /** Notes an author, in place of an earlier note. */
    void put(Handle handle, String reader, String author, long token) {
        remove(handle, reader, author);
        database.update(handle, insert)
                .bind("reader", reader)
                .bind("author", author)
                .bind("token", token)
                .execute();
    }

    void remove(Handle handle, String reader, String author) {
        database.update(handle, removeAny)
                .bind("reader", reader)
                .bind("author", author)
                .execute();
    }

    /** Takes the note with this token away, and says whether there was one. */
    boolean remove(Handle handle, String reader, String author, long token) {
        return database.update(handle, remove)
                        .bind("reader", reader)
                        .bind("author", author)
                        .bind("token", token)
                        .execute()
                > 0;
    }

    /** Those of some readers that have notes. */
    Set<String> noted(Handle handle, Collection<String> readers) {
        return new HashSet<>(fill(readers)
                .bindTo(database.query(handle, noted), database.dialect())
                .mapTo(String.class)
                .list());
    }

    void drop(Handle handle, Collection<String> readers) {
        fill(readers).bindTo(database.update(handle, drop), database.dialect()).execute();
    }

    private static Rows.Filled fill(Collection<String> readers) {
        Rows.Filled filled = READERS.fill();
        new TreeSet<>(readers).forEach(filled::add);
        return filled;
    }
}
