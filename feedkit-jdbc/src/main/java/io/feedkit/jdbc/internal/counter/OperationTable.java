package io.feedkit.jdbc.internal.counter;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.counter.CellKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * The table {@code counter_operation}: the time of each operation on a sequence. Every writer has locked the sequence's
 * cell.
 */
final class OperationTable {

    /** An operation on a sequence. */
    record Operation(CellKey cell, String id) {

        /** Reads the columns {@code space, owner, name, operation}, which come first. */
        static Operation of(ResultSet row) throws SQLException {
            return new Operation(CellTable.key(row), row.getString(4));
        }
    }

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
        oldSql = database.sql("SELECT space, owner, name, operation FROM ${counter_operation}"
                + " WHERE done_at <= :at ORDER BY done_at LIMIT :limit");
        removeSql = database.sql("DELETE FROM ${counter_operation}" + BY_KEY + " AND done_at <= :at");
    }

    /** The times of operations. Operations without a row were never done, or are forgotten. */
    Map<Operation, Long> read(Handle handle, Set<Operation> operations) {
        ParameterTable.Rows rows = WANTED.fill();
        operations.forEach(operation -> rows.add(
                operation.cell().owner().space().name(),
                operation.cell().owner().id(),
                operation.cell().name(),
                operation.id()));
        Map<Operation, Long> done = new HashMap<>();
        database.query(handle, readSql, rows)
                .map((row, context) -> Map.entry(Operation.of(row), row.getLong(5)))
                .forEach(entry -> done.put(entry.getKey(), entry.getValue()));
        return done;
    }

    /** Records operations. Those that had a row when they were read are updated, unless the row was purged since. */
    void write(Handle handle, Set<Operation> operations, Set<Operation> existing, long at) {
        List<Operation> updated = operations.stream().filter(existing::contains).toList();
        Set<Operation> missing = new HashSet<>(operations);
        int[] found = run(handle, updateSql, updated, at);
        for (int i = 0; i < found.length; i++) {
            if (found[i] != 0) {
                missing.remove(updated.get(i));
            }
        }
        run(handle, insertSql, missing, at);
    }

    /** Removes operations up to a time, the oldest first, and returns their number. */
    int purge(Handle handle, long until, int limit) {
        Set<Operation> old = Set.copyOf(database.query(handle, oldSql)
                .bind("at", until)
                .bind("limit", limit)
                .map((row, context) -> Operation.of(row))
                .list());
        run(handle, removeSql, old, until);
        return old.size();
    }

    private int[] run(Handle handle, String sql, Collection<Operation> operations, long at) {
        return Batches.run(
                database,
                handle,
                sql,
                operations,
                (batch, operation) -> CellTable.bind(batch, operation.cell())
                        .bind("operation", operation.id())
                        .bind("at", at));
    }
}
