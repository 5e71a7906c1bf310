package io.feedkit.jdbc.internal.inbox.table;

import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Inbox.PendingChange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * The table {@code inbox_note}: a row for each pending follow, with its token. Every writer holds the lock of the
 * reader's row in the table {@code inbox}.
 */
public final class PendingFollowTable {

    private static final ParameterTable FOLLOWS =
            ParameterTable.named("r").text("wanted").text("writer").number("given");
    private static final String SAME = "n.reader = r.wanted AND n.author = r.writer";

    /** A pending follow with its token. */
    public record Token(String reader, String author, long value) {}

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
        find = database.sql("SELECT n.reader, n.author, n.token FROM " + joins.from(FOLLOWS, "${inbox_note} n", SAME));
        delete = database.sql(joins.delete(FOLLOWS, "${inbox_note}", "n", SAME));
        findReaders = database.sql("SELECT DISTINCT n.reader FROM "
                + joins.from(InboxTable.READERS, "${inbox_note} n", "n.reader = r.wanted"));
        clear = database.sql(joins.delete(InboxTable.READERS, "${inbox_note}", "n", "n.reader = r.wanted"));
    }

    /** Records pending follows of each reader, in place of earlier ones of the same authors. */
    public void put(Handle handle, Collection<String> readers, Collection<String> authors, long token) {
        List<Token> follows = new ArrayList<>();
        for (String reader : readers) {
            authors.forEach(author -> follows.add(new Token(reader, author, token)));
        }
        delete(handle, follows);
        database.execute(handle, insert, rows(follows));
    }

    /** Returns the pending follows of the readers and authors of some changes. */
    public Set<Token> find(Handle handle, Collection<PendingChange> changes) {
        List<Token> wanted = new ArrayList<>();
        for (PendingChange change : changes) {
            change.authors().forEach(author -> wanted.add(new Token(change.reader(), author, 0)));
        }
        return database.query(handle, find, rows(wanted))
                .map((row, context) ->
                        new Token(row.getString("reader"), row.getString("author"), row.getLong("token")))
                .set();
    }

    /** Deletes pending follows, whatever their tokens are. */
    public void delete(Handle handle, Collection<Token> follows) {
        database.execute(handle, delete, rows(follows));
    }

    private static ParameterTable.Rows rows(Collection<Token> follows) {
        ParameterTable.Rows rows = FOLLOWS.fill();
        follows.stream()
                .sorted(Comparator.comparing(Token::reader).thenComparing(Token::author))
                .forEach(follow -> rows.add(follow.reader(), follow.author(), follow.value()));
        return rows;
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
