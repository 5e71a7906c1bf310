package io.feedkit.unread;

import static io.feedkit.unread.UnreadCounts.ONCE;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.internal.counter.OperationIds;
import io.feedkit.internal.counter.SeveralSteps;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Added;
import io.feedkit.spi.counter.CounterWrites.Outcome;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.Raised;
import io.feedkit.spi.counter.CounterWrites.Retraction;
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A user's types are the cells of one owner. A cell has the sum of what was added, and the mark up to which it was
 * seen. A type has a cell for additions without an operation, and one for those with an operation. A store behind a
 * cache writes only the former late, so in the latter it knows what each operation added.
 */
final class StoredUnreadCounter implements UnreadCounter {

    private final CounterStore store;

    StoredUnreadCounter(CounterStore store) {
        this.store = Arguments.nonNull("store", store);
    }

    static Owner owner(String user) {
        return new Owner(Space.TYPES, Ids.require("user", user));
    }

    private static CellKey key(String user, String type, boolean once) {
        return new CellKey(owner(user), Ids.require("type", type) + (once ? ONCE : ""));
    }

    private static String type(String cell) {
        return cell.endsWith(ONCE) ? cell.substring(0, cell.length() - ONCE.length()) : cell;
    }

    @Override
    public void add(Collection<String> users, String type, long amount) {
        add(users, type, amount, Optional.empty());
    }

    @Override
    public void add(Collection<String> users, String type, long amount, String operation) {
        add(users, type, amount, Optional.of(OperationIds.require(operation)));
    }

    private void add(Collection<String> users, String type, long amount, Optional<String> operation) {
        Arguments.between("amount", amount, 1, MAX_AMOUNT);
        Ids.require("type", type);
        Map<CellKey, Long> amounts = new LinkedHashMap<>();
        for (String user : Arguments.nonNull("users", users)) {
            amounts.merge(key(user, type, operation.isPresent()), amount, Math::addExact);
        }
        List<Add> adds = new ArrayList<>(amounts.size());
        amounts.forEach((key, sum) -> adds.add(new Add(key, sum, operation).writtenBehind()));
        List<Added> added = SeveralSteps.call("unreadCounter.add", store, steps -> steps.addAll(adds));
        for (int i = 0; i < added.size(); i++) {
            if (added.get(i).outcome() == Outcome.OVERFLOW) {
                throw new ArithmeticException("cannot add " + adds.get(i).amount() + " to " + type + " of "
                        + adds.get(i).key().owner().id() + ": it holds "
                        + added.get(i).count() + ", and the sum does not fit into 64 bits");
            }
        }
    }

    @Override
    public void retract(String user, String type, String operation) {
        store.retract(List.of(new Retraction(key(user, type, true), OperationIds.require(operation))));
    }

    @Override
    public long retract(String user, String type, long amount) {
        Arguments.between("amount", amount, 1, MAX_AMOUNT);
        CellKey key = key(user, type, false);
        Raised raised = store.raise(List.of(new Raise(key, 0, amount, Optional.of(type), When.ALWAYS).writtenBehind()))
                .get(0);
        return raised.after().orElse(0) - raised.before().orElse(0);
    }

    @Override
    public UnreadCounts read(String user) {
        return read(List.of(Ids.require("user", user))).get(0);
    }

    @Override
    public List<UnreadCounts> read(List<String> users) {
        List<Owner> owners = Arguments.nonNull("users", users).stream()
                .map(StoredUnreadCounter::owner)
                .toList();
        List<Map<String, Cell>> cells = store.cells(owners);
        List<UnreadCounts> counts = new ArrayList<>(users.size());
        for (int i = 0; i < users.size(); i++) {
            counts.add(counts(users.get(i), cells.get(i)));
        }
        return counts;
    }

    static UnreadCounts counts(String user, Map<String, Cell> cells) {
        Map<String, Long> byType = new HashMap<>();
        Map<String, Long> counted = new HashMap<>();
        cells.forEach((name, cell) -> {
            long unread = cell.unread();
            if (unread > 0) {
                byType.merge(type(name), unread, UnreadCounts::sum);
                counted.put(name, cell.count());
            }
        });
        return new UnreadCounts(user, byType, counted);
    }

    @Override
    public void clearNow(String user, String type) {
        clear(user, Map.of(Ids.require("type", type), Long.MAX_VALUE, type + ONCE, Long.MAX_VALUE));
    }

    @Override
    public void clear(String user, Map<String, Long> counted) {
        Ids.require("user", user);
        List<Raise> raises =
                new ArrayList<>(Arguments.nonNull("counted", counted).size());
        counted.forEach((cell, position) -> {
            CellKey key = key(user, type(Arguments.nonNull("type", cell)), cell.endsWith(ONCE));
            String name = "counted of " + cell;
            Arguments.between(name, Arguments.nonNull(name, position), 0, Long.MAX_VALUE);
            raises.add(new Raise(key, position, 0, Optional.of(cell), When.ALWAYS).writtenBehind());
        });
        store.raise(raises);
    }

    @Override
    public void forget(Collection<String> users) {
        store.forget(Arguments.nonNull("users", users).stream()
                .map(StoredUnreadCounter::owner)
                .toList());
    }
}
