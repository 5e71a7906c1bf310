package io.feedkit.unread;

import static java.util.Objects.requireNonNull;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Added;
import io.feedkit.spi.counter.CounterWrites.Outcome;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.Raised;
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
 * seen. A retraction raises the mark.
 */
final class StoredUnreadCounter implements UnreadCounter {

    private final CounterStore store;

    StoredUnreadCounter(CounterStore store) {
        this.store = requireNonNull(store, "store");
    }

    static Owner owner(String user) {
        return new Owner(Space.TYPES, Ids.require("user", user));
    }

    private static CellKey key(String user, String type) {
        return new CellKey(owner(user), Ids.require("type", type));
    }

    @Override
    public void add(Collection<String> users, String type, long amount) {
        add(users, type, amount, Optional.empty());
    }

    @Override
    public void add(Collection<String> users, String type, long amount, String operation) {
        add(users, type, amount, Optional.of(Ids.require("operation", operation)));
    }

    private void add(Collection<String> users, String type, long amount, Optional<String> operation) {
        Arguments.between("amount", amount, 1, MAX_AMOUNT);
        Ids.require("type", type);
        Map<CellKey, Long> amounts = new LinkedHashMap<>();
        for (String user : Arguments.nonNull("users", users)) {
            amounts.merge(key(user, type), amount, Math::addExact);
        }
        List<Add> adds = new ArrayList<>(amounts.size());
        amounts.forEach((key, sum) -> adds.add(new Add(key, sum, operation).writtenBehind()));
        List<Added> added = store.add(adds);
        for (int i = 0; i < added.size(); i++) {
            if (added.get(i).outcome() == Outcome.OVERFLOW) {
                throw new ArithmeticException("cannot add " + adds.get(i).amount() + " to " + type + " of "
                        + adds.get(i).key().owner().id() + ": it holds "
                        + added.get(i).count() + ", and the sum does not fit into 64 bits");
            }
        }
    }

    @Override
    public long retract(String user, String type, long amount) {
        Arguments.between("amount", amount, 1, MAX_AMOUNT);
        CellKey key = key(user, type);
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
        cells.forEach((type, cell) -> {
            long unread = cell.count() - cell.mark().orElse(0);
            if (unread > 0) {
                byType.put(type, unread);
                counted.put(type, cell.count());
            }
        });
        return new UnreadCounts(user, byType, counted);
    }

    @Override
    public void clear(UnreadCounts shown) {
        Arguments.nonNull("shown", shown);
        clear(shown.user(), shown.counted());
    }

    @Override
    public void clearNow(String user, String type) {
        clear(user, Map.of(Ids.require("type", type), Long.MAX_VALUE));
    }

    private void clear(String user, Map<String, Long> upTo) {
        Ids.require("user", user);
        List<Raise> raises = new ArrayList<>(upTo.size());
        upTo.forEach((type, count) ->
                raises.add(new Raise(key(user, type), count, 0, Optional.of(type), When.ALWAYS).writtenBehind()));
        store.raise(raises);
    }

    @Override
    public void forget(Collection<String> users) {
        store.forget(Arguments.nonNull("users", users).stream()
                .map(StoredUnreadCounter::owner)
                .toList());
    }
}
