package io.feedkit.jdbc.internal.inbox.table;

import io.feedkit.jdbc.internal.posts.PostRows;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.Inbox.Removal;
import io.feedkit.spi.Position;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;

/** The table {@code inbox_entry}. Every writer holds the locks of its readers' rows in the table {@code inbox}. */
public final class EntryTable {

    private static final ParameterTable AUTHORS =
            ParameterTable.named("r").text("wanted").text("writer");
    private static final ParameterTable POSITIONS =
            ParameterTable.named("r").text("wanted").position("entry");
    private static final ParameterTable EXCESS =
            ParameterTable.named("r").text("wanted").number("excess");
    private static final ParameterTable POSTS =
            ParameterTable.named("r").text("wanted").text("writer").text("post");
    private static final String SAME =
            "e.reader = r.wanted AND e.published_at = r.entry_at AND e.id = r.entry_id AND e.author = r.entry_author";
    private static final String BELOW = "e.reader = r.wanted AND e.published_at <= r.entry_at"
            + " AND (e.published_at, e.id, e.author) < (r.entry_at, r.entry_id, r.entry_author)";

    private final Database database;
    private final String find;
    private final String findAtAnyTime;
    private final String insert;
    private final String delete;
    private final String deleteBelow;
    private final String countBelow;
    private final String clear;
    private final String deleteAuthors;
    private final String countAuthors;
    private final String lowestKept;

    /** Prepares the statements for a database. */
    public EntryTable(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        Joins joins = new Joins(dialect);
        find = database.sql("SELECT r.i FROM " + joins.from(POSITIONS, "${inbox_entry} e", SAME));
        findAtAnyTime = database.sql("SELECT e.reader, e.published_at, e.id, e.author FROM "
                + joins.from(
                        POSTS, "${inbox_entry} e", "e.reader = r.wanted AND e.id = r.post AND e.author = r.writer"));
        insert = database.sql("INSERT INTO ${inbox_entry} (reader, published_at, id, author)"
                + " SELECT r.wanted, r.entry_at, r.entry_id, r.entry_author FROM " + POSITIONS.source(dialect));
        delete = database.sql(joins.delete(POSITIONS, "${inbox_entry}", "e", SAME));
        deleteBelow = database.sql(joins.delete(POSITIONS, "${inbox_entry}", "e", BELOW));
        countBelow = database.sql(count(joins.from(POSITIONS, "${inbox_entry} e", BELOW)));
        clear = database.sql(joins.delete(InboxTable.READERS, "${inbox_entry}", "e", "e.reader = r.wanted"));
        String byAuthor = "e.reader = r.wanted AND e.author = r.writer";
        deleteAuthors = database.sql(joins.delete(AUTHORS, "${inbox_entry}", "e", byAuthor));
        countAuthors = database.sql(count(joins.from(AUTHORS, "${inbox_entry} e", byAuthor)));
        lowestKept = database.sql(dialect == Dialect.POSTGRESQL ? lateral(dialect) : ranked(joins));
    }

    private static String count(String source) {
        return "SELECT r.wanted, count(*) AS found FROM " + source + " GROUP BY r.wanted";
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

    /** Returns the entries that exist. */
    public Set<InboxEntry> find(Handle handle, List<InboxEntry> entries) {
        Set<InboxEntry> found = new HashSet<>();
        if (!entries.isEmpty()) {
            database.query(handle, find, positions(entries))
                    .mapTo(Integer.class)
                    .forEach(i -> found.add(entries.get(i - 1)));
        }
        return found;
    }

    /** Returns the entries of posts, whatever their times, sorted by reader. */
    public List<InboxEntry> findAtAnyTime(Handle handle, List<Removal> removals) {
        ParameterTable.Rows wanted = POSTS.fill();
        removals.forEach(removal -> removal.readers()
                .forEach(reader ->
                        wanted.add(reader, removal.key().author(), removal.key().id())));
        return database
                .query(handle, findAtAnyTime, wanted)
                .map((row, context) -> new InboxEntry(row.getString("reader"), PostRows.post(row)))
                .stream()
                .distinct()
                .sorted(Comparator.comparing(InboxEntry::reader))
                .toList();
    }

    /** Inserts entries that do not exist. */
    public void insert(Handle handle, List<InboxEntry> entries) {
        if (!entries.isEmpty()) {
            database.execute(handle, insert, positions(entries));
        }
    }

    /** Deletes entries. */
    public void delete(Handle handle, List<InboxEntry> entries) {
        database.execute(handle, delete, positions(entries));
    }

    private static ParameterTable.Rows positions(List<InboxEntry> entries) {
        ParameterTable.Rows positions = POSITIONS.fill();
        entries.forEach(entry -> positions.add(entry.reader(), Position.of(entry.post())));
        return positions;
    }

    /** Deletes the entries below the floor of each row, and returns their number. */
    public int deleteBelowFloor(Handle handle, Collection<InboxRow> rows) {
        ParameterTable.Rows floors = POSITIONS.fill();
        rows.forEach(row -> floors.add(row.reader(), row.floor()));
        return database.execute(handle, deleteBelow, floors);
    }

    /** Deletes the entries below the floor of each row, and returns the number of each reader who had any. */
    public Map<String, Integer> deleteEachBelowFloor(Handle handle, Collection<InboxRow> rows) {
        ParameterTable.Rows floors = POSITIONS.fill();
        rows.forEach(row -> floors.add(row.reader(), row.floor()));
        return deleteCounted(handle, countBelow, deleteBelow, floors);
    }

    /** Deletes entries, and returns the number of each reader who had any. */
    private Map<String, Integer> deleteCounted(Handle handle, String count, String delete, ParameterTable.Rows rows) {
        Map<String, Integer> counts = new HashMap<>();
        database.query(handle, count, rows)
                .map((row, context) -> Map.entry(row.getString("wanted"), row.getInt("found")))
                .forEach(each -> counts.put(each.getKey(), each.getValue()));
        if (!counts.isEmpty()) {
            database.execute(handle, delete, rows);
        }
        return counts;
    }

    /** Deletes all entries of some readers. */
    public void clear(Handle handle, Collection<String> readers) {
        database.execute(handle, clear, InboxTable.READERS.ofIds(readers));
    }

    /** Deletes entries of some authors of each reader, and returns the number of each reader who had any. */
    public Map<String, Integer> deleteAuthors(Handle handle, Map<String, List<String>> authors) {
        ParameterTable.Rows unwanted = AUTHORS.fill();
        authors.forEach((reader, of) -> new TreeSet<>(of).forEach(author -> unwanted.add(reader, author)));
        return authors.isEmpty() ? Map.of() : deleteCounted(handle, countAuthors, deleteAuthors, unwanted);
    }

    /**
     * Finds the entry that becomes the lowest of each reader when this number of the reader's lowest entries is
     * deleted. A reader with no more entries than that is missing from the answer.
     */
    Map<String, Position> lowestKept(Handle handle, Map<String, Integer> excess) {
        ParameterTable.Rows counts = EXCESS.fill();
        excess.forEach((reader, count) -> counts.add(reader, (long) count));
        Map<String, Position> lowest = new HashMap<>();
        database.query(handle, lowestKept, counts)
                .map((row, context) -> Map.entry(
                        row.getString("wanted"),
                        new Position(row.getLong("published_at"), row.getString("id"), row.getString("author"))))
                .forEach(entry -> lowest.put(entry.getKey(), entry.getValue()));
        return lowest;
    }
}
