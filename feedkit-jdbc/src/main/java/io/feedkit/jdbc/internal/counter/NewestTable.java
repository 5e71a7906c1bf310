package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Newest;
import io.feedkit.spi.counter.CounterReads.NewestOf;
import io.feedkit.spi.counter.CounterWrites.Counted;
import io.feedkit.spi.counter.CounterWrites.Listing;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code counter_newest}: the newest names of sequences. A later name has a higher place. Every writer holds
 * the lock of the sequence's cell. A statement that finds the names to remove reads as many rows as a list keeps. It
 * therefore runs only when the place passes a multiple of an eighth of that number.
 */
final class NewestTable {

    /**
     * A change of a list.
     *
     * @param key the sequence
     * @param counted the change of the sequence
     * @param listing the name
     */
    record Entry(CellKey key, Counted counted, Listing listing) {

        boolean isAdded() {
            return counted.amount() > 0;
        }

        boolean isAlike(Entry other) {
            return isAdded() == other.isAdded()
                    && (!isAdded() || listing.kept() == other.listing().kept());
        }
    }

    private record Row(CellKey key, String member, long place) {}

    /** A list may exceed its number of names by that number divided by this one. */
    private static final int SURPLUS = 8;

    private static final String MATCH = "n.space = k.wanted_space AND n.owner = k.wanted_owner AND n.name = k.wanted";
    private static final String BY_KEY = " WHERE space = :space AND owner = :owner AND name = :name";

    private final Database database;
    private final String lastSql;
    private final String lastsSql;
    private final String oldSql;
    private final String insertSql;
    private final String removeSql;
    private final String trimSql;
    private final String removeAllSql;
    private final String removeOwnersSql;
    private final String readSql;

    NewestTable(Database database) {
        this.database = database;
        Joins joins = new Joins(database.dialect());
        String table = "${counter_newest}";
        // In MySQL and MariaDB a host's transaction at REPEATABLE READ sees the latest commits only in locking reads.
        String lock = database.dialect().isMySql() ? " FOR UPDATE" : "";
        lastSql = database.sql("SELECT place FROM " + table + BY_KEY + " ORDER BY place DESC LIMIT 1" + lock);
        lastsSql = database.sql("SELECT n.space, n.owner, n.name, MAX(n.place) FROM "
                + joins.from(CellTable.WANTED, table + " n", MATCH)
                + " GROUP BY n.space, n.owner, n.name"
                + (database.dialect().isMySql() ? database.dialect().forUpdate("n") : ""));
        oldSql = database.sql(
                "SELECT place FROM " + table + BY_KEY + " ORDER BY place DESC LIMIT 1 OFFSET :kept" + lock);
        insertSql = database.sql("INSERT INTO " + table
                + " (space, owner, name, member, place) VALUES (:space, :owner, :name, :member, :place)");
        removeSql = database.sql("DELETE FROM " + table + BY_KEY + " AND member = :member");
        trimSql = database.sql("DELETE FROM " + table + BY_KEY + " AND place <= :place");
        removeAllSql = database.sql(joins.delete(CellTable.WANTED, table, "n", MATCH));
        removeOwnersSql =
                database.sql(joins.delete(CellTable.OWNERS, table, "n", CellTable.OWNER_MATCH.formatted("n")));
        readSql = database.sql("SELECT c.total, n.member FROM ${counter_cell} c LEFT JOIN " + table
                + " n ON n.space = c.space AND n.owner = c.owner AND n.name = c.name"
                + " WHERE c.space = :space AND c.owner = :owner AND c.name = :name ORDER BY n.place DESC LIMIT :most");
    }

    /** Changes lists, each in the order of the entries. Lists whose next entries are alike are changed together. */
    void write(Handle handle, List<Entry> entries) {
        for (List<Entry> wave : waves(entries)) {
            Batches.run(
                    database,
                    handle,
                    removeSql,
                    wave,
                    (batch, entry) -> CellTable.bind(batch, entry.key())
                            .bind("member", entry.listing().name()));
            Map<Integer, List<Entry>> added = new LinkedHashMap<>();
            wave.stream()
                    .filter(Entry::isAdded)
                    .forEach(entry -> added.computeIfAbsent(entry.listing().kept(), none -> new ArrayList<>())
                            .add(entry));
            added.forEach((kept, some) -> add(handle, some, kept));
        }
    }

    /** Splits entries into parts. A part contains only consecutive, alike entries of each list. */
    private static List<List<Entry>> waves(List<Entry> entries) {
        List<List<Entry>> waves = new ArrayList<>();
        Map<CellKey, Entry> last = new HashMap<>();
        Map<CellKey, Integer> waveOf = new HashMap<>();
        for (Entry entry : entries) {
            Entry before = last.put(entry.key(), entry);
            int present = waveOf.getOrDefault(entry.key(), 0);
            int wave = before == null || entry.isAlike(before) ? present : present + 1;
            waveOf.put(entry.key(), wave);
            if (wave == waves.size()) {
                waves.add(new ArrayList<>());
            }
            waves.get(wave).add(entry);
        }
        return waves;
    }

    private void add(Handle handle, List<Entry> entries, int kept) {
        Map<CellKey, Long> before =
                lasts(handle, entries.stream().map(Entry::key).distinct().toList());
        Map<CellKey, Long> after = new HashMap<>();
        Map<List<Object>, Row> rows = new LinkedHashMap<>();
        for (Entry entry : entries) {
            CellKey key = entry.key();
            long place = after.getOrDefault(key, before.getOrDefault(key, 0L)) + 1;
            after.put(key, place);
            rows.put(
                    List.of(key, entry.listing().name()),
                    new Row(key, entry.listing().name(), place));
        }
        Batches.run(database, handle, insertSql, rows.values(), NewestTable::bind);
        int step = Math.max(1, kept / SURPLUS);
        after.forEach((key, place) -> {
            if (place / step != before.getOrDefault(key, 0L) / step) {
                trim(handle, key, kept);
            }
        });
    }

    /** The last places of lists that have names. */
    private Map<CellKey, Long> lasts(Handle handle, Collection<CellKey> keys) {
        Map<CellKey, Long> lasts = new HashMap<>();
        if (keys.size() == 1) {
            CellKey key = keys.iterator().next();
            bind(database.query(handle, lastSql), key)
                    .mapTo(Long.class)
                    .findOne()
                    .ifPresent(place -> lasts.put(key, place));
        } else {
            database.query(handle, lastsSql, CellTable.rows(keys))
                    .map((row, context) -> Map.entry(CellTable.key(row), row.getLong(4)))
                    .forEach(entry -> lasts.put(entry.getKey(), entry.getValue()));
        }
        return lasts;
    }

    private static Query bind(Query query, CellKey key) {
        return query.bind("space", key.owner().space().name())
                .bind("owner", key.owner().id())
                .bind("name", key.name());
    }

    private static PreparedBatch bind(PreparedBatch batch, Row row) {
        return CellTable.bind(batch, row.key()).bind("member", row.member()).bind("place", row.place());
    }

    /** Removes the oldest names, if there are more than the list keeps. */
    private void trim(Handle handle, CellKey key, int kept) {
        List<Long> old = bind(database.query(handle, oldSql), key)
                .bind("kept", kept)
                .mapTo(Long.class)
                .list();
        Batches.run(
                database,
                handle,
                trimSql,
                old,
                (batch, place) -> CellTable.bind(batch, key).bind("place", place));
    }

    /** Removes the lists of sequences. */
    void remove(Handle handle, Collection<CellKey> keys) {
        List<CellKey> some =
                keys.stream().filter(key -> key.owner().space() == Space.POSTS).toList();
        if (!some.isEmpty()) {
            database.execute(handle, removeAllSql, CellTable.rows(some));
        }
    }

    /** Removes all lists of owners. */
    void removeOwners(Handle handle, Collection<Owner> owners) {
        List<Owner> some =
                owners.stream().filter(owner -> owner.space() == Space.POSTS).toList();
        if (!some.isEmpty()) {
            database.execute(handle, removeOwnersSql, CellTable.rowsOf(some));
        }
    }

    /** Reads a list and its sequence in one statement, which sees one moment. */
    Newest read(Handle handle, NewestOf wanted) {
        List<String> names = new ArrayList<>();
        long count = 0;
        for (Found found : bind(database.query(handle, readSql), wanted.key())
                .bind("most", wanted.limit())
                .map((row, context) -> new Found(row.getLong(1), row.getString(2)))
                .list()) {
            count = found.count();
            if (found.member() != null) {
                names.add(found.member());
            }
        }
        return new Newest(count, names);
    }

    private record Found(long count, @Nullable String member) {}
}
