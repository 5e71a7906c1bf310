package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.CounterStore.CellKey;
import io.feedkit.spi.CounterStore.Owner;
import io.feedkit.spi.CounterStore.Space;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Rows of {@code counter_operation}: when each operation was done to a sequence. They are changed by whoever has locked the sequence's cell. */
final class OperationTable {

    /** An operation on a sequence. */
    record Key(CellKey cell, String operation) {}

    private static final ParameterTable WANTED = ParameterTable.named("k")
            .text("wanted_space")
            .text("wanted_owner")
            .text("wanted_name")
            .text("wanted");

    private static final String BY_KEY =
            " WHERE space = :space AND owner = :owner AND name = :name AND operation = :operation";

    private final Database database;
    private final String readSql;
    private final String insertSql;
    private final String updateSql;
    private final String oldSql;
    private final String removeSql;

    OperationTable(Database database) {
        this.database = database;
        readSql = database.sql("SELECT o.space, o.owner, o.name, o.operation, o.done_at FROM "
                + new Joins(database.dialect())
                        .from(
                                WANTED,
                                "${counter_operation} o",
                                "o.space = k.wanted_space AND o.owner = k.wanted_owner AND o.name = k.wanted_name"
                                        + " AND o.operation = k.wanted")
                + (database.dialect().isMySql() ? database.dialect().forUpdate("o") : ""));
        insertSql = database.sql("INSERT INTO ${counter_operation} (done_at, space, owner, name, operation)"
                + " VALUES (:at, :space, :owner, :name, :operation)");
        updateSql = database.sql("UPDATE ${counter_operation} SET done_at = :at" + BY_KEY);
        oldSql = database.sql("SELECT space, owner, name, operation, done_at FROM ${counter_operation}"
                + " WHERE done_at <= :at ORDER BY done_at LIMIT :limit");
        removeSql = database.sql("DELETE FROM ${counter_operation}" + BY_KEY + " AND done_at <= :at");
    }

    /** When operations were done; those that were not, or that are forgotten, are left out. */
    Map<Key, Long> read(Handle handle, Collection<Key> keys) {
        ParameterTable.Rows rows = WANTED.fill();
        Set.copyOf(keys)
                .forEach(key -> rows.add(
                        key.cell().owner().space().name(),
                        key.cell().owner().id(),
                        key.cell().name(),
                        key.operation()));
        Map<Key, Long> done = new HashMap<>();
        database.query(handle, readSql, rows)
                .map((row, context) -> Map.entry(
                        new Key(
                                new CellKey(
                                        new Owner(Space.valueOf(row.getString(1)), row.getString(2)), row.getString(3)),
                                row.getString(4)),
                        row.getLong(5)))
                .forEach(entry -> done.put(entry.getKey(), entry.getValue()));
        return done;
    }

    /** Remembers operations, of which some had rows when they were read. A row may have been purged since. */
    void write(Handle handle, Set<Key> keys, Set<Key> there, long at) {
        List<Key> updated = keys.stream().filter(there::contains).toList();
        Set<Key> missing = new HashSet<>(keys);
        int[] found = run(handle, updateSql, updated, at);
        for (int i = 0; i < found.length; i++) {
            if (found[i] != 0) {
                missing.remove(updated.get(i));
            }
        }
        run(handle, insertSql, missing, at);
    }

    /** Removes what was done before a time, the oldest first. Answers how many. */
    int purge(Handle handle, long until, int limit) {
        Set<Key> old = Set.copyOf(database.query(handle, oldSql)
                .bind("at", until)
                .bind("limit", limit)
                .map((row, context) -> new Key(
                        new CellKey(new Owner(Space.valueOf(row.getString(1)), row.getString(2)), row.getString(3)),
                        row.getString(4)))
                .list());
        run(handle, removeSql, old, until);
        return old.size();
    }

    /** How many rows each changed. */
    private int[] run(Handle handle, String sql, Collection<Key> keys, long at) {
        return keys.isEmpty()
                ? new int[0]
                : Batches.run(
                        database,
                        handle,
                        sql,
                        keys,
                        (batch, key) -> batch.bind("at", at)
                                .bind("space", key.cell().owner().space().name())
                                .bind("owner", key.cell().owner().id())
                                .bind("name", key.cell().name())
                                .bind("operation", key.operation()));
    }
}
