package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
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
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * The table {@code counter_cell}: a row for each sequence, mark, or both. A row of zeros means the same as no row; it
 * is created where a row has to be locked.
 */
final class CellTable {

    static final Comparator<Owner> BY_OWNER =
            Comparator.<Owner, String>comparing(owner -> owner.space().name()).thenComparing(Owner::id);

    private static final Comparator<CellKey> BY_KEY =
            Comparator.comparing(CellKey::owner, BY_OWNER).thenComparing(CellKey::name);

    private static final int LOCK_TRIES = 100;

    static final String MATCH = "c.space = k.wanted_space AND c.owner = k.wanted_owner AND c.name = k.wanted";
    private static final String ORDER = " ORDER BY c.space, c.owner, c.name";

    static final ParameterTable WANTED =
            ParameterTable.named("k").text("wanted_space").text("wanted_owner").text("wanted");

    /** Whether a row means the same as no row. */
    static final String IS_ZERO = "total = 0 AND mark IS NULL AND cache_life IS NULL";

    static final String NO_MEMBERS =
            "NOT EXISTS (SELECT 1 FROM ${counter_member} m WHERE m.space = :space AND m.owner = :owner)";

    /** Whether a sequence has no list of newest names. A list is found by its cell. */
    private static final String NO_LIST = "NOT EXISTS (SELECT 1 FROM ${counter_newest} n"
            + " WHERE n.space = :space AND n.owner = :owner AND n.name = :name)";

    static final ParameterTable OWNERS =
            ParameterTable.named("k").text("wanted_space").text("wanted_owner");
    static final String OWNER_MATCH = "%1$s.space = k.wanted_space AND %1$s.owner = k.wanted_owner";

    private final Database database;
    private final String insertSql;
    private final String lockSql;
    private final String writeSql;
    private final String removeSql;
    private final String removeUnusedSql;
    private final String removeOwnersSql;

    /** The cell that locks the owner's set, and whose sequence numbers its members. */
    static CellKey set(Owner owner) {
        return new CellKey(owner, "");
    }

    CellTable(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        Joins joins = new Joins(dialect);
        String join = joins.from(WANTED, "${counter_cell} c", MATCH);
        insertSql = database.sql(insert(dialect).formatted(WANTED.source(dialect)));
        lockSql = database.sql("SELECT c.space, c.owner, c.name, c.total, c.mark, c.gaps FROM " + join + lock(dialect));
        writeSql = database.sql("UPDATE ${counter_cell} SET total = :total, mark = :mark, gaps = :gaps"
                + " WHERE space = :space AND owner = :owner AND name = :name");
        removeUnusedSql =
                database.sql("DELETE FROM ${counter_cell} WHERE space = :space AND owner = :owner AND name = :name AND "
                        + IS_ZERO + " AND " + NO_MEMBERS + " AND " + NO_LIST);
        removeSql = database.sql(joins.delete(WANTED, "${counter_cell}", "c", MATCH));
        removeOwnersSql = database.sql(joins.delete(OWNERS, "${counter_cell}", "c", OWNER_MATCH.formatted("c")));
    }

    /** The end of a query that locks the cells it finds, in the order of the keys. */
    static String lock(Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> ORDER + dialect.forUpdate("c");
            case MYSQL, MARIADB -> dialect.forUpdate("c");
            // H2 locks no rows that it finds by a join. The MERGE that creates missing rows locks the existing ones.
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
                "MERGE INTO ${counter_cell} AS c USING (SELECT k.wanted_space, k.wanted_owner, k.wanted FROM %s) AS k"
                        + " ON " + MATCH + " WHEN MATCHED THEN UPDATE SET total = c.total"
                        + " WHEN NOT MATCHED THEN INSERT (space, owner, name, total)"
                        + " VALUES (k.wanted_space, k.wanted_owner, k.wanted, 0)";
            case MYSQL, MARIADB ->
                "INSERT INTO ${counter_cell} (space, owner, name, total) " + zeros
                        + " ON DUPLICATE KEY UPDATE total = ${counter_cell}.total";
        };
    }

    /** Locks and reads cells. Missing cells are created, so the answer has all of them. */
    Map<CellKey, Cell> lock(Handle handle, Collection<CellKey> keys) {
        Set<CellKey> wanted = sorted(keys);
        Map<CellKey, Cell> locked = database.dialect() == Dialect.H2 ? Map.of() : locked(handle, wanted);
        // In PostgreSQL another transaction may remove a row between its creation and this lock.
        for (int tried = 0; locked.size() < wanted.size(); tried++) {
            if (tried == LOCK_TRIES) {
                throw new IllegalStateException("The cells cannot be locked: other transactions removed them " + tried
                        + " times before the lock: " + wanted);
            }
            ParameterTable.Rows missing = rows(wanted);
            database.upsert(() -> database.execute(handle, insertSql, missing));
            locked = locked(handle, wanted);
        }
        return locked;
    }

    /**
     * Locks and reads cells. Of the missing cells, only the required ones are created. The others are left out of the
     * answer; in H2, cells that are not required may be in the answer and are not locked.
     *
     * @param required says which cells are required, given those that exist
     */
    Map<CellKey, Cell> lockRequired(
            Handle handle, Collection<CellKey> keys, Function<Map<CellKey, Cell>, Set<CellKey>> required) {
        Map<CellKey, Cell> found = locked(handle, sorted(keys));
        Set<CellKey> all = required.apply(found);
        if (all.isEmpty() || (database.dialect() != Dialect.H2 && found.keySet().containsAll(all))) {
            return found;
        }
        Map<CellKey, Cell> cells = new HashMap<>(found);
        cells.putAll(lock(handle, all));
        return cells;
    }

    private Map<CellKey, Cell> locked(Handle handle, Collection<CellKey> keys) {
        Map<CellKey, Cell> found = new HashMap<>();
        database.query(handle, lockSql, rows(keys))
                .map((row, context) -> Map.entry(key(row), cell(row)))
                .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        return found;
    }

    /** Writes locked cells. */
    void write(Handle handle, Map<CellKey, Cell> cells) {
        Batches.run(database, handle, writeSql, cells.entrySet(), (batch, entry) -> {
            bind(bind(batch, entry.getKey()), entry.getValue());
        });
    }

    void remove(Handle handle, Collection<CellKey> keys) {
        database.execute(handle, removeSql, rows(keys));
    }

    /** Removes locked cells of zeros, unless their owners' sets have members, or they have lists. */
    void removeUnused(Handle handle, Collection<CellKey> keys) {
        Batches.run(database, handle, removeUnusedSql, sorted(keys), CellTable::bind);
    }

    /** Removes all cells of owners. */
    void removeOwners(Handle handle, Collection<Owner> owners) {
        database.execute(handle, removeOwnersSql, rowsOf(owners));
    }

    static ParameterTable.Rows rowsOf(Collection<Owner> owners) {
        ParameterTable.Rows rows = OWNERS.fill();
        TreeSet<Owner> sorted = new TreeSet<>(BY_OWNER);
        sorted.addAll(owners);
        sorted.forEach(owner -> rows.add(owner.space().name(), owner.id()));
        return rows;
    }

    /** The keys in the order in which they are locked. */
    static NavigableSet<CellKey> sorted(Collection<CellKey> keys) {
        TreeSet<CellKey> sorted = new TreeSet<>(BY_KEY);
        sorted.addAll(keys);
        return sorted;
    }

    static ParameterTable.Rows rows(Collection<CellKey> keys) {
        ParameterTable.Rows rows = WANTED.fill();
        sorted(keys)
                .forEach(key -> rows.add(key.owner().space().name(), key.owner().id(), key.name()));
        return rows;
    }

    /** The owner in the columns {@code space, owner}, which come first. */
    static Owner owner(ResultSet row) throws SQLException {
        return new Owner(Space.valueOf(row.getString(1)), row.getString(2));
    }

    /** The key in the columns {@code space, owner, name}, which come first. */
    static CellKey key(ResultSet row) throws SQLException {
        return new CellKey(owner(row), row.getString(3));
    }

    /** The cell in the columns {@code total, mark, gaps}, which come after the key. */
    static Cell cell(ResultSet row) throws SQLException {
        long count = row.getLong(4);
        long mark = row.getLong(5);
        OptionalLong seen = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(mark);
        return new Cell(count, seen, GapsCodec.gaps(row.getString(6)));
    }

    static PreparedBatch bind(PreparedBatch batch, Owner owner) {
        return batch.bind("space", owner.space().name()).bind("owner", owner.id());
    }

    static PreparedBatch bind(PreparedBatch batch, CellKey key) {
        return bind(batch, key.owner()).bind("name", key.name());
    }

    static PreparedBatch bind(PreparedBatch batch, Cell cell) {
        OptionalLong mark = cell.mark();
        return batch.bind("total", cell.count())
                .bind("mark", mark.isPresent() ? (Long) mark.getAsLong() : null)
                .bind("gaps", GapsCodec.text(cell.gaps()));
    }
}
