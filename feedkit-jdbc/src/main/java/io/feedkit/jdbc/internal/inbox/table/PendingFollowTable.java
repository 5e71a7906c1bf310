package io.feedkit.jdbc.internal.inbox.table;

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

/**
 * The table {@code inbox_note}: a row for each pending follow, with its token. Every writer holds the lock of the
 * reader's row in the table {@code inbox}.
 */
public final class PendingFollowTable {

    private static final ParameterTable FOLLOWS =
            ParameterTable.named("r").text("wanted").text("writer").number("given");
    private static final String SAME = "n.reader = r.wanted AND n.author = r.writer";

    private final Database database;
    private final String insert;
    private final String find;
    private final String delete;
    private final String findReaders;
    private final String clear;

    /** Prepares the statements for a database. */
    public PendingFollowTable(Database database) {
        this.database = database;
        Joins joins = new Joins(database.dialect());
        insert = database.sql("INSERT INTO ${inbox_note} (reader, author, token)"
                + " SELECT r.wanted, r.writer, r.given FROM " + FOLLOWS.source(database.dialect()));
        find = database.sql("SELECT n.author, n.token FROM " + joins.from(FOLLOWS, "${inbox_note} n", SAME));
        delete = database.sql(joins.delete(FOLLOWS, "${inbox_note}", "n", SAME));
        findReaders = database.sql("SELECT DISTINCT n.reader FROM "
                + joins.from(InboxTable.READERS, "${inbox_note} n", "n.reader = r.wanted"));
        clear = database.sql(joins.delete(InboxTable.READERS, "${inbox_note}", "n", "n.reader = r.wanted"));
    }

    /** Records pending follows, in place of earlier ones of the same authors. */
    public void put(Handle handle, String reader, Collection<String> authors, long token) {
        delete(handle, reader, authors);
        database.execute(handle, insert, follows(reader, authors, token));
    }

    /** Returns the tokens of the authors whose follows are pending. */
    public Map<String, Long> find(Handle handle, String reader, Collection<String> authors) {
        Map<String, Long> tokens = new HashMap<>();
        database.query(handle, find, follows(reader, authors, 0))
                .map((row, context) -> Map.entry(row.getString("author"), row.getLong("token")))
                .forEach(pending -> tokens.put(pending.getKey(), pending.getValue()));
        return tokens;
    }

    /** Deletes the pending follows of some authors. */
    public void delete(Handle handle, String reader, Collection<String> authors) {
        database.execute(handle, delete, follows(reader, authors, 0));
    }

    private static ParameterTable.Rows follows(String reader, Collection<String> authors, long token) {
        ParameterTable.Rows follows = FOLLOWS.fill();
        new TreeSet<>(authors).forEach(author -> follows.add(reader, author, token));
        return follows;
    }

    /** Returns the readers that have pending follows. */
    public Set<String> findReaders(Handle handle, Collection<String> readers) {
        return new HashSet<>(database.query(handle, findReaders, InboxTable.READERS.ofIds(readers))
                .mapTo(String.class)
                .list());
    }

    /** Deletes all pending follows of some readers. */
    public void clear(Handle handle, Collection<String> readers) {
        database.execute(handle, clear, InboxTable.READERS.ofIds(readers));
    }
}
