package io.feedkit.jdbc.internal.counter;

import static java.util.Objects.requireNonNull;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Dialect;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterSource.Change;
import io.feedkit.spi.counter.CounterSource.Late;
import io.feedkit.spi.counter.CounterSource.Life;
import io.feedkit.spi.counter.CounterSource.Written;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@code counter_cell} that a cache writes to. Each row records which of the cache's changes it contains.
 */
final class WriteBehindTable {

    record Row(Cell cell, Written written) {}

    private final Database database;
    private final CellTable cells;
    private final String readSql;
    private final String lockSql;
    private final String touchSql;
    private final String nameSql;
    private final String writeSql;

    WriteBehindTable(Database database, CellTable cells) {
        this.database = database;
        this.cells = cells;
        Dialect dialect = database.dialect();
        String columns = "SELECT c.space, c.owner, c.name, c.total, c.mark, c.gaps, c.cache_life, c.cache_version,"
                + " c.cache_total, c.cache_earlier";
        String from = " FROM " + new Joins(dialect).from(CellTable.WANTED, "${counter_cell} c", CellTable.MATCH);
        String key = " WHERE space = :space AND owner = :owner AND name = :name";
        readSql = database.sql(columns + from);
        lockSql = database.sql(columns + from + CellTable.lock(dialect));
        touchSql = database.sql("UPDATE ${counter_cell} SET total = total" + key);
        nameSql = database.sql("UPDATE ${counter_cell} SET cache_life = :life, cache_version = 0, cache_total = 0" + key
                + " AND cache_life IS NULL");
        writeSql = database.sql("UPDATE ${counter_cell} SET total = :total, mark = :mark, gaps = :gaps,"
                + " cache_life = :life, cache_version = :version, cache_total = :amount, cache_earlier = :earlier"
                + key);
    }

    private Map<CellKey, Row> read(Handle handle, String sql, Collection<CellKey> keys) {
        Map<CellKey, Row> rows = new HashMap<>();
        database.query(handle, sql, CellTable.rows(keys))
                .map((row, context) -> Map.entry(CellTable.key(row), row(row)))
                .forEach(entry -> rows.put(entry.getKey(), entry.getValue()));
        return rows;
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                CellTable.cell(row), written(row.getString(7), row.getLong(8), row.getLong(9), row.getString(10)));
    }

    /**
     * Returns the changes that a row contains, from the columns {@code cache_life, cache_version, cache_total,
     * cache_earlier}.
     */
    static Written written(@Nullable String life, long version, long amount, @Nullable String earlier) {
        return life == null
                ? Written.NONE
                : new Written(
                        new Life(life, version, amount),
                        earlier == null || earlier.isEmpty() ? List.of() : List.of(earlier.split(",", -1)));
    }

    /**
     * Creates missing rows, and names rows that no cache wrote to. The name distinguishes a row from one that is
     * created in its place later. Returns the changes that each row contains.
     *
     * @param locked whether to lock the rows, because the transaction continues
     */
    Map<CellKey, Written> open(Handle handle, Collection<CellKey> keys, boolean locked) {
        Map<CellKey, Written> written = written(locked ? lock(handle, keys) : read(handle, readSql, keys));
        Set<CellKey> unnamed = new HashSet<>(keys);
        unnamed.removeAll(written.keySet());
        if (!unnamed.isEmpty()) {
            cells.lock(handle, unnamed);
            String name = UUID.randomUUID().toString().replace("-", "");
            Batches.run(
                    database,
                    handle,
                    nameSql,
                    CellTable.sorted(unnamed),
                    (batch, key) -> CellTable.bind(batch, key).bind("life", name));
            written.putAll(written(locked ? lock(handle, unnamed) : read(handle, readSql, unnamed)));
        }
        return written;
    }

    private static Map<CellKey, Written> written(Map<CellKey, Row> rows) {
        Map<CellKey, Written> written = new HashMap<>();
        rows.forEach((key, row) -> {
            if (!row.written().equals(Written.NONE)) {
                written.put(key, row.written());
            }
        });
        return written;
    }

    /**
     * Writes changes to existing rows, if a row contains the same changes as when the cache opened it. Returns the keys
     * of the rows that now contain all changes.
     */
    Set<CellKey> write(Handle handle, Map<CellKey, Late> late) {
        Map<CellKey, Row> rows = lock(handle, late.keySet());
        Set<CellKey> done = new HashSet<>();
        Map<CellKey, Late> changed = new HashMap<>();
        rows.forEach((key, row) -> {
            Late each = late.get(key);
            if (each != null && row.written().equals(each.written())) {
                done.add(key);
                if (!isWritten(row, each.change())) {
                    changed.put(key, each);
                }
            }
        });
        Batches.run(database, handle, writeSql, changed.entrySet(), (batch, entry) -> {
            Row row = requireNonNull(rows.get(entry.getKey()));
            Change change = entry.getValue().change();
            CellTable.bind(batch, UnwrittenChanges.on(row.cell(), row.written(), change));
            Written written = UnwrittenChanges.written(row.written(), change);
            CellTable.bind(batch, entry.getKey())
                    .bind("life", written.life().name())
                    .bind("version", written.life().version())
                    .bind("amount", written.life().amount())
                    .bind("earlier", String.join(",", written.earlier()));
        });
        return done;
    }

    private static boolean isWritten(Row row, Change change) {
        return row.written().life().name().equals(change.life().name())
                && row.written().life().amount() == change.life().amount()
                && change.earlier().stream()
                        .allMatch(life -> row.written().earlier().contains(life.name()))
                && UnwrittenChanges.on(row.cell(), row.written(), change).equals(row.cell());
    }

    /** Locks and reads the rows that exist. */
    Map<CellKey, Row> lock(Handle handle, Collection<CellKey> keys) {
        if (database.dialect() == Dialect.H2) {
            // H2 locks no rows that it finds by a join.
            Batches.run(database, handle, touchSql, CellTable.sorted(keys), CellTable::bind);
        }
        return read(handle, lockSql, keys);
    }
}
