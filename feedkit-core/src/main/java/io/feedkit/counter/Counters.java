package io.feedkit.counter;

import static java.util.Objects.requireNonNull;

import io.feedkit.spi.CounterStore;
import io.feedkit.spi.CounterStore.Add;
import io.feedkit.spi.CounterStore.Added;
import io.feedkit.spi.CounterStore.Cell;
import io.feedkit.spi.CounterStore.CellKey;
import io.feedkit.spi.CounterStore.Outcome;
import io.feedkit.spi.CounterStore.Owner;
import io.feedkit.spi.CounterStore.Space;
import io.feedkit.spi.Ids;
import java.util.List;
import java.util.Optional;

/** Plain counters, which may fall, also below zero. Thread-safe. */
public final class Counters {

    /** The most that one call adds, either way. */
    public static final long MAX_AMOUNT = 1_000_000_000;

    private final CounterStore store;

    private Counters(CounterStore store) {
        this.store = requireNonNull(store, "store");
    }

    /**
     * Counters on a store.
     *
     * @param store where they are
     * @return the counters
     */
    public static Counters of(CounterStore store) {
        return new Counters(store);
    }

    private static CellKey key(String type, String id) {
        return new CellKey(new Owner(Space.COUNTERS, Ids.require("id", id)), Ids.require("type", type));
    }

    /**
     * Adds. Atomic. If the outcome is unknown it may have been done, and is not repeated by itself.
     *
     * @param type the type
     * @param id whose
     * @param amount how much, at most {@value #MAX_AMOUNT} either way, and not zero
     * @return what the counter holds afterwards
     * @throws ArithmeticException if that does not fit into 64 bits; nothing was changed
     */
    public long add(String type, String id, long amount) {
        return add(type, id, amount, Optional.empty());
    }

    /**
     * Adds once, however often it is called with the same operation. Atomic; idempotent.
     *
     * @param type the type
     * @param id whose
     * @param amount how much, at most {@value #MAX_AMOUNT} either way, and not zero
     * @param operation names what is done, at most 64 visible ASCII characters
     * @return what the counter holds afterwards
     * @throws ArithmeticException if that does not fit into 64 bits; nothing was changed
     */
    public long add(String type, String id, long amount, String operation) {
        return add(type, id, amount, Optional.of(Ids.require("operation", operation)));
    }

    private long add(String type, String id, long amount, Optional<String> operation) {
        CellKey key = key(type, id);
        if (amount == 0 || amount > MAX_AMOUNT || amount < -MAX_AMOUNT) {
            throw new IllegalArgumentException(
                    "amount must be between 1 and " + MAX_AMOUNT + " either way, but is " + amount);
        }
        Added added = store.add(List.of(new Add(key, amount, operation))).get(0);
        if (added.outcome() == Outcome.OVERFLOW) {
            throw new ArithmeticException(
                    "amount does not fit beside what " + type + " of " + id + " holds: " + added.count());
        }
        return added.count();
    }

    /**
     * Reads a counter.
     *
     * @param type the type
     * @param id whose
     * @return what it holds, {@code 0} if nothing was added
     */
    public long get(String type, String id) {
        return get(type, List.of(id)).get(0);
    }

    /**
     * Reads many counters in one round trip.
     *
     * @param type the type
     * @param ids whose
     * @return for each what it holds
     */
    public List<Long> get(String type, List<String> ids) {
        List<CellKey> keys = ids.stream().map(id -> key(type, id)).toList();
        return store.cellsOf(keys).stream().map(Cell::count).toList();
    }
}
