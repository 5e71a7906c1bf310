package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.CounterStore.Cell;
import io.feedkit.spi.CounterStore.CellKey;
import io.feedkit.spi.CounterStore.Owner;
import io.feedkit.spi.CounterStore.Space;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Rows of {@code counter_cell}: one for each sequence, mark, or both. A row of zeros is as good as none, and is made where one has to be locked. */
final class CellTable {

    static final Comparator<Owner> OWNERS =
            Comparator.<Owner, String>comparing(owner -> owner.space().name()).thenComparing(Owner::id);

    private static final Comparator<CellKey> KEYS =
            Comparator.comparing(CellKey::owner, OWNERS).thenComparing(CellKey::name);

    private static final int LOCK_TRIES = 100;

    private static final String COLUMNS = "c.space, c.owner, c.name, c.total, c.mark";
    static final String MATCH = "c.space = k.wanted_space AND c.owner = k.wanted_owner AND c.name = k.wanted";
    private static final String ORDER = " ORDER BY c.space, c.owner, c.name";

    static final ParameterTable WANTED =
            ParameterTable.named("k").text("wanted_space").text("wanted_owner").text("wanted");

    private static final ParameterTable OWNERS_WANTED =
            ParameterTable.named("k").text("wanted_space").text("wanted_owner");

    private final Database database;
    private final String insertSql;
    private final String lockSql;
    private final String writeSql;
    private final String removeSql;
    private final String removeUnusedSql;

    CellTable(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        Joins joins = new Joins(dialect);
        String join = joins.from(WANTED, "${counter_cell} c", MATCH);
        insertSql = database.sql(insert(dialect).formatted(WANTED.source(dialect)));
        lockSql = database.sql("SELECT " + COLUMNS + " FROM " + join + lock(dialect));
        writeSql = database.sql("UPDATE ${counter_cell} SET total = :total, mark = :mark"
                + " WHERE space = :space AND owner = :owner AND name = :name");
        removeUnusedSql =
                database.sql("DELETE FROM ${counter_cell} WHERE space = :space AND owner = :owner AND name = :name"
                        + " AND total = 0 AND mark IS NULL AND cache_life IS NULL AND NOT EXISTS"
                        + " (SELECT 1 FROM ${counter_member} m WHERE m.space = :space AND m.owner = :owner)");
        removeSql = database.sql(joins.delete(WANTED, "${counter_cell}", "c", MATCH));
    }

    /** Behind a query on cells: locks what it finds, in the order of the keys. */
    static String lock(Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> ORDER + dialect.forUpdate("c");
            case MYSQL, MARIADB -> dialect.forUpdate("c");
            // H2 locks nothing that it finds by a join; what makes missing rows locks the others.
            case H2 -> "";
        };
    }

    private static String insert(Dialect dialect) {
        String zeros = "SELECT k.wanted_space, k.wanted_owner, k.wanted, 0 FROM %s";
        return switch (dialect) {
            case POSTGRESQL ->
                "INSERT INTO ${counter_cell} (space, owner, name, total) " + zeros
                        + " ORDER BY k.wanted_space, k.wanted_owner, k.wanted ON CONFLICT DO NOTHING";
            case H2 ->
                "MERGE INTO ${counter_cell} AS c USING (SELECT k.wanted_space, k.wanted_owner, k.wanted FROM %s) AS k ON "
                        + MATCH
                        + " WHEN MATCHED THEN UPDATE SET total = c.total WHEN NOT MATCHED THEN INSERT (space, owner, name, total)"
                        + " VALUES (k.wanted_space, k.wanted_owner, k.wanted, 0)";
            case MYSQL, MARIADB ->
                "INSERT INTO ${counter_cell} (space, owner, name, total) " + zeros
                        + " ON DUPLICATE KEY UPDATE total = ${counter_cell}.total";
        };
    }

    /** Reads cells, and keeps others from changing them until the transaction ends. Cells that were not there are made, so that all are in the answer. */
    Map<CellKey, Cell> lock(Handle handle, Collection<CellKey> keys) {
        Set<CellKey> wanted = sorted(keys);
        Map<CellKey, Cell> locked = database.dialect() == Dialect.H2 ? Map.of() : locked(handle, wanted);
        // In PostgreSQL a row that others made may be gone before it is locked.
        for (int tried = 0; locked.size() < wanted.size(); tried++) {
            if (tried == LOCK_TRIES) {
                throw new IllegalStateException(
                        "others removed cells " + tried + " times before they were locked: " + wanted);
            }
            ParameterTable.Rows missing = filled(wanted);
            database.upsert(() -> database.execute(handle, insertSql, missing));
            locked = locked(handle, wanted);
        }
        return locked;
    }

    /**
     * The same, but of cells that are not there only those are made that are needed, as told by what is there. The others are left out of the answer, or are not locked in H2.
     */
    Map<CellKey, Cell> lockNeeded(
            Handle handle, Collection<CellKey> keys, Function<Map<CellKey, Cell>, Set<CellKey>> needed) {
        Map<CellKey, Cell> there = locked(handle, sorted(keys));
        Set<CellKey> all = needed.apply(there);
        if (all.isEmpty() || (database.dialect() != Dialect.H2 && there.keySet().containsAll(all))) {
            return there;
        }
        Map<CellKey, Cell> cells = new HashMap<>(there);
        cells.putAll(lock(handle, all));
        return cells;
    }

    private Map<CellKey, Cell> locked(Handle handle, Collection<CellKey> keys) {
        return found(database.query(handle, lockSql, filled(keys)));
    }

    /** Writes cells that are locked. */
    void write(Handle handle, Map<CellKey, Cell> cells) {
        Batches.run(database, handle, writeSql, cells.entrySet(), (batch, entry) -> {
            CellKey key = entry.getKey();
            OptionalLong mark = entry.getValue().mark();
            batch.bind("total", entry.getValue().count())
                    .bind("mark", mark.isPresent() ? (Long) mark.getAsLong() : null)
                    .bind("space", key.owner().space().name())
                    .bind("owner", key.owner().id())
                    .bind("name", key.name());
        });
    }

    void remove(Handle handle, Collection<CellKey> keys) {
        database.execute(handle, removeSql, filled(keys));
    }

    /** Removes cells of zeros that are locked, if their owners' sets have no members. */
    void removeUnused(Handle handle, Collection<CellKey> keys) {
        Batches.run(
                database,
                handle,
                removeUnusedSql,
                sorted(keys),
                (batch, key) -> batch.bind("space", key.owner().space().name())
                        .bind("owner", key.owner().id())
                        .bind("name", key.name()));
    }

    static ParameterTable.Rows filledOwners(Collection<Owner> owners) {
        ParameterTable.Rows rows = OWNERS_WANTED.fill();
        TreeSet<Owner> sorted = new TreeSet<>(OWNERS);
        sorted.addAll(owners);
        sorted.forEach(owner -> rows.add(owner.space().name(), owner.id()));
        return rows;
    }

    /** Keys in the order in which they are locked. */
    static NavigableSet<CellKey> sorted(Collection<CellKey> keys) {
        TreeSet<CellKey> sorted = new TreeSet<>(KEYS);
        sorted.addAll(keys);
        return sorted;
    }

    static ParameterTable.Rows filled(Collection<CellKey> keys) {
        ParameterTable.Rows rows = WANTED.fill();
        sorted(keys)
                .forEach(key -> rows.add(key.owner().space().name(), key.owner().id(), key.name()));
        return rows;
    }

    private static Map<CellKey, Cell> found(Query query) {
        Map<CellKey, Cell> found = new HashMap<>();
        query.map((row, context) -> Map.entry(key(row), cell(row)))
                .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        return found;
    }

    static CellKey key(ResultSet row) throws SQLException {
        return new CellKey(new Owner(Space.valueOf(row.getString(1)), row.getString(2)), row.getString(3));
    }

    static Cell cell(ResultSet row) throws SQLException {
        long count = row.getLong(4);
        long mark = row.getLong(5);
        return new Cell(count, row.wasNull() ? OptionalLong.empty() : OptionalLong.of(mark));
    }
}
