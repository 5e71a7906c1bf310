package io.feedkit.jdbc.internal.inbox;

import io.feedkit.Post;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Position;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/** The rows of the table {@code inbox_entry}. Whoever writes them has locked the rows of their readers. */
final class InboxEntries {

    private static final ParameterTable READERS = ParameterTable.named("r").text("wanted");
    private static final ParameterTable AUTHORS =
            ParameterTable.named("r").text("wanted").text("writer");
    private static final ParameterTable PLACES =
            ParameterTable.named("r").text("wanted").number("at").text("post").text("writer");
    private static final ParameterTable EXCESS =
            ParameterTable.named("r").text("wanted").number("excess");
    private static final String SAME =
            "e.reader = r.wanted AND e.published_at = r.at AND e.id = r.post AND e.author = r.writer";
    private static final String BELOW = "e.reader = r.wanted AND e.published_at <= r.at"
            + " AND (e.published_at, e.id, e.author) < (r.at, r.post, r.writer)";

    private final Database database;
    private final String find;
    private final String insert;
    private final String delete;
    private final String deleteBelow;
    private final String clear;
    private final String deleteAuthors;
    private final String lowestKept;

    InboxEntries(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        Joins joins = new Joins(dialect);
        find = database.sql("SELECT r.i FROM " + joins.from(PLACES, "${inbox_entry} e", SAME));
        insert = database.sql("INSERT INTO ${inbox_entry} (reader, published_at, id, author)"
                + " SELECT r.wanted, r.at, r.post, r.writer FROM " + PLACES.source(dialect));
        delete = database.sql(joins.delete(PLACES, "${inbox_entry}", "e", SAME));
        deleteBelow = database.sql(joins.delete(PLACES, "${inbox_entry}", "e", BELOW));
        clear = database.sql(joins.delete(READERS, "${inbox_entry}", "e", "e.reader = r.wanted"));
        deleteAuthors = database.sql(
                joins.delete(AUTHORS, "${inbox_entry}", "e", "e.reader = r.wanted AND e.author = r.writer"));
        lowestKept = database.sql(dialect == Dialect.POSTGRESQL ? lateral(dialect) : ranked(joins));
    }

    private static String lateral(Dialect dialect) {
        return "SELECT r.wanted, k.published_at, k.id, k.author FROM " + EXCESS.drivingSource(dialect) + """
                 CROSS JOIN LATERAL (
                    SELECT e.published_at, e.id, e.author FROM ${inbox_entry} e WHERE e.reader = r.wanted
                     ORDER BY e.published_at, e.id, e.author OFFSET r.excess LIMIT 1) k""";
    }

    private static String ranked(Joins joins) {
        return "SELECT wanted, published_at, id, author FROM ("
                + "SELECT r.wanted, r.excess, e.published_at, e.id, e.author, row_number() OVER"
                + " (PARTITION BY e.reader ORDER BY e.published_at, e.id, e.author) AS place FROM "
                + joins.from(EXCESS, "${inbox_entry} e", "e.reader = r.wanted") + ") k WHERE place = excess + 1";
    }

    /** Those that are there. */
    Set<Entry> find(Handle handle, List<Entry> entries) {
        Set<Entry> found = new HashSet<>();
        if (!entries.isEmpty()) {
            database.query(handle, find, places(entries))
                    .mapTo(Integer.class)
                    .forEach(i -> found.add(entries.get(i - 1)));
        }
        return found;
    }

    /** Inserts entries that are not there. */
    void insert(Handle handle, List<Entry> entries) {
        if (!entries.isEmpty()) {
            database.execute(handle, insert, places(entries));
        }
    }

    void delete(Handle handle, List<Entry> entries) {
        database.execute(handle, delete, places(entries));
    }

    private static ParameterTable.Rows places(List<Entry> entries) {
        ParameterTable.Rows filled = PLACES.fill();
        for (Entry entry : entries) {
            Post post = entry.post();
            filled.add(entry.reader(), post.publishedAt().toEpochMilli(), post.id(), post.author());
        }
        return filled;
    }

    /** Deletes what lies below the floor of each row, and says how much. */
    int deleteBelowFloor(Handle handle, Collection<InboxRow> rows) {
        ParameterTable.Rows filled = PLACES.fill();
        for (InboxRow row : rows) {
            filled.add(
                    row.reader(),
                    row.floor().millis(),
                    row.floor().id(),
                    row.floor().author());
        }
        return database.execute(handle, deleteBelow, filled);
    }

    /** Deletes all entries of some readers. */
    void clear(Handle handle, Collection<String> readers) {
        ParameterTable.Rows filled = READERS.fill();
        new TreeSet<>(readers).forEach(filled::add);
        database.execute(handle, clear, filled);
    }

    int deleteAuthors(Handle handle, String reader, Collection<String> authors) {
        ParameterTable.Rows filled = AUTHORS.fill();
        new TreeSet<>(authors).forEach(author -> filled.add(reader, author));
        return database.execute(handle, deleteAuthors, filled);
    }

    /** For each reader the lowest entry that is left if so many of the lowest go; none for a reader that has not so many. */
    Map<String, Position> lowestKept(Handle handle, Map<String, Integer> excess) {
        ParameterTable.Rows filled = EXCESS.fill();
        excess.forEach((reader, count) -> filled.add(reader, (long) count));
        Map<String, Position> lowest = new HashMap<>();
        database.query(handle, lowestKept, filled)
                .map((row, context) -> Map.entry(
                        row.getString("wanted"),
                        new Position(row.getLong("published_at"), row.getString("id"), row.getString("author"))))
                .forEach(entry -> lowest.put(entry.getKey(), entry.getValue()));
        return lowest;
    }
}
