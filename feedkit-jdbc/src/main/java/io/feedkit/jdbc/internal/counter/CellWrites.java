package io.feedkit.jdbc.internal.counter;

import static java.util.stream.Collectors.toSet;

import io.feedkit.jdbc.internal.counter.OperationTable.Operation;
import io.feedkit.jdbc.internal.counter.OperationTable.State;
import io.feedkit.jdbc.internal.sql.Database;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Added;
import io.feedkit.spi.counter.CounterWrites.Outcome;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.Raised;
import io.feedkit.spi.counter.CounterWrites.Retraction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Adds to sequences, retracts operations, and raises marks. A call that is refused because a mark is missing creates no
 * cells, and so leaves no rows of zeros.
 */
final class CellWrites {

    private final Database database;
    private final CellTable cells;
    private final OperationTable operations;
    private final long rememberedMillis;

    CellWrites(Database database, CellTable cells, OperationTable operations, long rememberedMillis) {
        this.database = database;
        this.cells = cells;
        this.operations = operations;
        this.rememberedMillis = rememberedMillis;
    }

    List<Added> add(Handle handle, List<Add> adds) {
        return add(handle, adds, lockForAdd(handle, adds));
    }

    /** Adds to locked cells. */
    List<Added> add(Handle handle, List<Add> adds, Map<CellKey, Cell> locked) {
        Map<CellKey, Cell> current = new HashMap<>(locked);
        Set<Operation> named = new HashSet<>();
        adds.forEach(add -> operation(add).ifPresent(named::add));
        long now = named.isEmpty() ? 0 : database.now(handle);
        Map<Operation, State> known = named.isEmpty() ? Map.of() : operations.read(handle, named);
        Map<Operation, State> done = new HashMap<>();
        Map<CellKey, Cell> changed = new HashMap<>();
        List<Added> answers = new ArrayList<>(adds.size());
        for (Add add : adds) {
            Cell cell = current.getOrDefault(add.key(), Cell.NONE);
            Optional<Operation> operation = operation(add);
            long sum = cell.count() + add.amount();
            if (operation.isPresent()
                    && (done.containsKey(operation.get()) || isRemembered(known.get(operation.get()), now))) {
                answers.add(new Added(Outcome.REPEATED, cell.count()));
            } else if (mark(add).isPresent() && !hasMark(current, mark(add).get())) {
                answers.add(new Added(Outcome.UNMARKED, cell.count()));
            } else if (((cell.count() ^ sum) & (add.amount() ^ sum)) < 0) {
                answers.add(new Added(Outcome.OVERFLOW, cell.count()));
            } else {
                operation.ifPresent(each -> done.put(each, new State(until(now), sum, add.amount())));
                change(current, changed, add.key(), cell.withCount(sum));
                // The mark may be in the same cell.
                mark(add)
                        .ifPresent(key ->
                                change(current, changed, key, marked(current.getOrDefault(key, Cell.NONE), sum)));
                answers.add(new Added(Outcome.ADDED, sum));
            }
        }
        cells.write(handle, changed);
        operations.write(handle, done, known.keySet());
        return answers;
    }

    void retract(Handle handle, List<Retraction> retractions) {
        Map<CellKey, Cell> current = new HashMap<>(
                cells.lock(handle, retractions.stream().map(Retraction::key).toList()));
        Map<Operation, State> known = operations.read(
                handle, retractions.stream().map(CellWrites::operation).collect(toSet()));
        long now = database.now(handle);
        Map<CellKey, Cell> changed = new HashMap<>();
        Map<Operation, State> done = new HashMap<>();
        for (Retraction retraction : retractions) {
            Operation operation = operation(retraction);
            State state = done.getOrDefault(operation, known.get(operation));
            if (state == null || !isRemembered(state, now)) {
                done.put(operation, State.retracted(until(now)));
            } else if (state.amount() != 0) {
                done.put(operation, State.retracted(state.until()));
                Cell cell = current.getOrDefault(retraction.key(), Cell.NONE);
                change(current, changed, retraction.key(), cell.without(state.end(), state.amount()));
            }
        }
        cells.write(handle, changed);
        operations.write(handle, done, known.keySet());
    }

    private static Operation operation(Retraction retraction) {
        return new Operation(retraction.key(), retraction.operation());
    }

    private static Optional<Operation> operation(Add add) {
        return add.operation().map(id -> new Operation(add.key(), id));
    }

    private static Optional<CellKey> mark(Add add) {
        return add.marked().map(name -> new CellKey(add.key().owner(), name));
    }

    private static boolean hasMark(Map<CellKey, Cell> found, CellKey key) {
        return found.getOrDefault(key, Cell.NONE).mark().isPresent();
    }

    private static Cell marked(Cell cell, long at) {
        return cell.withMark(OptionalLong.of(Math.max(cell.mark().orElse(0), at)));
    }

    private static void change(Map<CellKey, Cell> current, Map<CellKey, Cell> changed, CellKey key, Cell cell) {
        current.put(key, cell);
        changed.put(key, cell);
    }

    private static boolean isRemembered(@Nullable State state, long now) {
        return state != null && state.until() > now;
    }

    private long until(long now) {
        return now + rememberedMillis;
    }

    private Map<CellKey, Cell> lockForAdd(Handle handle, List<Add> adds) {
        Set<CellKey> keys = new LinkedHashSet<>();
        for (Add add : adds) {
            keys.add(add.key());
            mark(add).ifPresent(keys::add);
        }
        return new HashMap<>(
                adds.stream().noneMatch(add -> add.marked().isPresent())
                        ? cells.lock(handle, keys)
                        : cells.lockRequired(handle, keys, found -> requiredToAdd(adds, found)));
    }

    /** The cells of the adds whose marks exist. */
    private static Set<CellKey> requiredToAdd(List<Add> adds, Map<CellKey, Cell> found) {
        Set<CellKey> required = new HashSet<>();
        for (Add add : adds) {
            Optional<CellKey> mark = mark(add);
            if (mark.isEmpty() || hasMark(found, mark.get())) {
                required.add(add.key());
                mark.ifPresent(required::add);
            }
        }
        return required;
    }

    List<Raised> raise(Handle handle, List<Raise> raises) {
        Map<CellKey, Cell> current = lockForRaise(handle, raises);
        Map<CellKey, Cell> changed = new HashMap<>();
        List<Raised> answers = new ArrayList<>(raises.size());
        for (Raise raise : raises) {
            Cell cell = current.getOrDefault(raise.key(), Cell.NONE);
            long count = sequence(raise)
                    .map(key -> current.getOrDefault(key, Cell.NONE).count())
                    .orElse(0L);
            OptionalLong after = raise.onto(cell.mark(), count);
            answers.add(new Raised(cell.mark(), after));
            if (!after.equals(cell.mark())) {
                change(current, changed, raise.key(), cell.withMark(after));
            }
        }
        cells.write(handle, changed);
        return answers;
    }

    private static Optional<CellKey> sequence(Raise raise) {
        return raise.sequence().map(name -> new CellKey(raise.key().owner(), name));
    }

    private Map<CellKey, Cell> lockForRaise(Handle handle, List<Raise> raises) {
        Set<CellKey> keys = new LinkedHashSet<>();
        for (Raise raise : raises) {
            keys.add(raise.key());
            sequence(raise).ifPresent(keys::add);
        }
        return new HashMap<>(
                raises.stream().allMatch(raise -> isCreated(raise, Map.of()))
                        ? cells.lock(handle, keys)
                        : cells.lockRequired(handle, keys, found -> requiredToRaise(raises, found)));
    }

    /** Whether a mark that does not exist may be created. */
    private static boolean isCreated(Raise raise, Map<CellKey, Cell> found) {
        return switch (raise.when()) {
            case PRESENT -> false;
            case ABSENT -> true;
            case ALWAYS ->
                sequence(raise)
                        .map(key -> found.getOrDefault(key, Cell.NONE).count() > 0)
                        .orElse(true);
        };
    }

    /** The cells of the marks that exist or may be created. */
    private static Set<CellKey> requiredToRaise(List<Raise> raises, Map<CellKey, Cell> found) {
        Set<CellKey> created = new HashSet<>();
        for (Raise raise : raises) {
            if (isCreated(raise, found)) {
                created.add(raise.key());
            }
        }
        Set<CellKey> required = new HashSet<>();
        for (Raise raise : raises) {
            if (created.contains(raise.key()) || hasMark(found, raise.key())) {
                required.add(raise.key());
                sequence(raise).ifPresent(required::add);
            }
        }
        return required;
    }
}
