package io.feedkit.jdbc.internal.counter;

import static java.util.Objects.requireNonNull;

import io.feedkit.jdbc.internal.sql.Batches;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.jdbc.internal.sql.Joins;
import io.feedkit.jdbc.internal.sql.ParameterTable;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * The table {@code counter_operation}: what each operation added to a sequence, and until when it is remembered. A
 * caller that records or retracts an operation holds the lock of the sequence's cell.
 */
final class OperationTable {

    /** An operation on a sequence. */
    record Operation(CellKey cell, String id) {

        /** Reads the columns {@code space, owner, name, operation}, which come first. */
        static Operation of(ResultSet row) throws SQLException {
            return new Operation(CellTable.key(row), row.getString(4));
        }
    }

    /**
     * The recorded state of an operation.
     *
     * @param until when it expires
     * @param end the count after its addition
     * @param amount what it added; {@code 0} if there is nothing to retract
     */
    record State(long until, long end, long amount) {

        /** The state of an operation that must not add any more. */
        static State retracted(long until) {
            return new State(until, 0, 0);
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
    private final String retractOwnersSql;
    private final String retractCellsSql;
    private final String oldSql;
    private final String removeSql;

    OperationTable(Database database) {
        this.database = database;
        readSql = database.sql("SELECT o.space, o.owner, o.name, o.operation, o.kept_until, o.position, o.amount FROM "
                + new Joins(database.dialect())
                        .from(
                                WANTED,
                                "${counter_operation} o",
                                "o.space = k.wanted_space AND o.owner = k.wanted_owner AND o.name = k.wanted_name"
                                        + " AND o.operation = k.wanted")
                + (database.dialect().isMySql() ? database.dialect().forUpdate("o") : ""));
        insertSql = database.sql("INSERT INTO ${counter_operation}"
                + " (kept_until, position, amount, space, owner, name, operation)"
                + " VALUES (:until, :end, :amount, :space, :owner, :name, :operation)");
        updateSql = database.sql(
                "UPDATE ${counter_operation} SET kept_until = :until," + " position = :end, amount = :amount" + BY_KEY);
        String cells = "o.space = k.wanted_space AND o.owner = k.wanted_owner";
        Joins joins = new Joins(database.dialect());
        retractOwnersSql =
                database.sql(joins.update(CellTable.OWNERS, "${counter_operation}", "o", "amount = 0", cells));
        retractCellsSql = database.sql(joins.update(
                CellTable.WANTED, "${counter_operation}", "o", "amount = 0", cells + " AND o.name = k.wanted"));
        oldSql = database.sql("SELECT space, owner, name, operation FROM ${counter_operation}"
                + " WHERE kept_until <= :at ORDER BY kept_until LIMIT :limit");
        removeSql = database.sql("DELETE FROM ${counter_operation}" + BY_KEY + " AND kept_until <= :at");
    }

    /** Reads the states of operations. Operations without a row were never done, or have expired. */
    Map<Operation, State> read(Handle handle, Set<Operation> operations) {
        ParameterTable.Rows rows = WANTED.fill();
        operations.forEach(operation -> rows.add(
                operation.cell().owner().space().name(),
                operation.cell().owner().id(),
                operation.cell().name(),
                operation.id()));
        Map<Operation, State> done = new HashMap<>();
        database.query(handle, readSql, rows)
                .map((row, context) ->
                        Map.entry(Operation.of(row), new State(row.getLong(5), row.getLong(6), row.getLong(7))))
                .forEach(entry -> done.put(entry.getKey(), entry.getValue()));
        return done;
    }

    /**
     * Records operations. Existing rows are updated. An operation whose row was purged since it was read is inserted
     * again.
     */
    void write(Handle handle, Map<Operation, State> operations, Set<Operation> existing) {
        Map<Operation, State> missing = new HashMap<>(operations);
        List<Operation> updated =
                operations.keySet().stream().filter(existing::contains).toList();
        int[] found = run(handle, updateSql, updated, operations);
        for (int i = 0; i < found.length; i++) {
            if (found[i] != 0) {
                missing.remove(updated.get(i));
            }
        }
        run(handle, insertSql, missing.keySet(), missing);
    }

    private int[] run(Handle handle, String sql, Collection<Operation> operations, Map<Operation, State> states) {
        return Batches.run(database, handle, sql, operations, (batch, operation) -> {
            State state = requireNonNull(states.get(operation));
            bind(batch, operation)
                    .bind("until", state.until())
                    .bind("end", state.end())
                    .bind("amount", state.amount());
        });
    }

    /** Sets the amounts of operations on cells to zero, so that nothing is left to retract. */
    void retractCells(Handle handle, Collection<CellKey> cells) {
        List<CellKey> some = cells.stream()
                .filter(cell -> cell.owner().space() == Space.TYPES)
                .toList();
        if (!some.isEmpty()) {
            database.execute(handle, retractCellsSql, CellTable.rows(some));
        }
    }

    /** Sets the amounts of owners' operations to zero, so that nothing is left to retract. */
    void retractOwners(Handle handle, Collection<Owner> owners) {
        List<Owner> some =
                owners.stream().filter(owner -> owner.space() == Space.TYPES).toList();
        if (!some.isEmpty()) {
            database.execute(handle, retractOwnersSql, CellTable.rowsOf(some));
        }
    }

    /** Removes operations that expired up to a time, the oldest first, and returns their number. */
    int purge(Handle handle, long until, int limit) {
        Set<Operation> old = Set.copyOf(database.query(handle, oldSql)
                .bind("at", until)
                .bind("limit", limit)
                .map((row, context) -> Operation.of(row))
                .list());
        Batches.run(
                database,
                handle,
                removeSql,
                old,
                (batch, operation) -> bind(batch, operation).bind("at", until));
        return old.size();
    }

    private static PreparedBatch bind(PreparedBatch batch, Operation operation) {
        return CellTable.bind(batch, operation.cell()).bind("operation", operation.id());
    }
}
