package io.feedkit.counter;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.check.Ids;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterReads.Cell;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.CounterWrites.Added;
import io.feedkit.spi.counter.CounterWrites.Outcome;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Plain counters. A counter may fall, also below zero. Thread-safe.
 *
 * <p>A host keeps one instance for a store: threads share the loads of {@link #getOrLoad} only if they share the
 * instance.
 */
public final class Counters {

    /** The most that one call adds or subtracts. */
    public static final long MAX_AMOUNT = 1_000_000_000;

    /** The most that a counter can begin with. */
    public static final long MAX_LOADED = 1L << 62;

    private final CounterStore store;
    private final SharedWork<CellKey> loads = new SharedWork<>();

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
     * Adds an amount. Atomic. If the outcome is unknown, the amount may have been added, and the call is not repeated
     * automatically.
     *
     * @param type the type
     * @param id the counter's id
     * @param amount the amount, from -{@value #MAX_AMOUNT} to {@value #MAX_AMOUNT}, and not zero
     * @throws ArithmeticException if the sum does not fit into 64 bits; nothing was changed
     */
    public void add(String type, String id, long amount) {
        add(type, id, amount, Optional.empty());
    }

    /**
     * Adds an amount once, even if it is called several times with the same operation. Atomic; idempotent.
     *
     * @param type the type
     * @param id the counter's id
     * @param amount the amount, from -{@value #MAX_AMOUNT} to {@value #MAX_AMOUNT}, and not zero
     * @param operation the operation's id, at most 64 visible ASCII characters
     * @throws ArithmeticException if the sum does not fit into 64 bits; nothing was changed
     */
    public void add(String type, String id, long amount, String operation) {
        add(type, id, amount, Optional.of(Ids.require("operation", operation)));
    }

    private void add(String type, String id, long amount, Optional<String> operation) {
        CellKey key = key(type, id);
        if (amount == 0 || amount > MAX_AMOUNT || amount < -MAX_AMOUNT) {
            throw new IllegalArgumentException(
                    "amount must be from -" + MAX_AMOUNT + " to " + MAX_AMOUNT + " and not 0, but is " + amount);
        }
        Added added = store.add(List.of(new Add(key, amount, operation).writtenBehind()))
                .get(0);
        if (added.outcome() == Outcome.OVERFLOW) {
            throw new ArithmeticException("cannot add " + amount + " to " + type + " of " + id + ": it holds "
                    + added.count() + ", and the sum does not fit into 64 bits");
        }
    }

    /**
     * Reads a counter.
     *
     * @param type the type
     * @param id the counter's id
     * @return the sum of what was added and loaded, at most {@link Long#MAX_VALUE}; {@code 0} if nothing was added or
     *     loaded
     */
    public long get(String type, String id) {
        return get(type, List.of(Ids.require("id", id))).get(0);
    }

    /**
     * Reads many counters in one round trip.
     *
     * @param type the type
     * @param ids the counters' ids
     * @return for each id the counter's value
     */
    public List<Long> get(String type, List<String> ids) {
        return store.cellsOf(keys(type, ids)).stream().map(Counters::value).toList();
    }

    private static List<CellKey> keys(String type, List<String> ids) {
        Ids.require("type", type);
        return Arguments.nonNull("ids", ids).stream().map(id -> key(type, id)).toList();
    }

    /** The sum of the additions and the loaded value, which is the mark; at most the highest number. */
    private static long value(Cell cell) {
        long loaded = cell.mark().orElse(0);
        return cell.count() > Long.MAX_VALUE - loaded ? Long.MAX_VALUE : cell.count() + loaded;
    }

    /**
     * Loads the values that counters had elsewhere. Additions before and after the load count on top of the loaded
     * value. A counter is loaded only once: a second load changes nothing. Each counter atomically; idempotent.
     *
     * @param type the type
     * @param values the value to begin with for each id, 0 to {@value #MAX_LOADED}
     * @throws IllegalArgumentException if an id is not legal, or a value is null or out of range; nothing is loaded
     */
    public void load(String type, Map<String, Long> values) {
        Ids.require("type", type);
        List<Raise> raises = new ArrayList<>(Arguments.nonNull("values", values).size());
        values.forEach((id, value) -> {
            CellKey key = key(type, id);
            Arguments.nonNull("value of " + id, value);
            if (value < 0 || value > MAX_LOADED) {
                throw new IllegalArgumentException("value must be between 0 and " + MAX_LOADED + ", but is " + value
                        + " for " + Ids.printable(id));
            }
            raises.add(new Raise(key, value, 0, Optional.empty(), When.ABSENT));
        });
        store.raise(raises);
    }

    /**
     * Reads many counters, and first loads the counters that were never loaded. Threads that ask this object for the
     * same counter at once share one load. Other objects on the same store, in this process or in another, do not share
     * it: each may load, and the value of the first load counts.
     *
     * @param type the type
     * @param ids the counters' ids
     * @param loader returns the values to {@link #load} for given ids; an id that it leaves out is loaded with
     *     {@code 0}. Its exceptions reach the caller and all callers that share the load; the next caller loads again.
     *     It must not ask for counters that are being loaded, because it would wait for itself
     * @return for each id the counter's value
     */
    public List<Long> getOrLoad(
            String type, List<String> ids, Function<? super Set<String>, ? extends Map<String, Long>> loader) {
        Arguments.nonNull("loader", loader);
        List<CellKey> keys = keys(type, ids);
        List<Cell> cells = store.cellsOf(keys);
        Set<CellKey> cold = cold(keys, cells);
        if (cold.isEmpty()) {
            return cells.stream().map(Counters::value).toList();
        }
        loads.share(cold, own -> load(type, own, loader));
        return get(type, ids);
    }

    private static Set<CellKey> cold(List<CellKey> keys, List<Cell> cells) {
        Set<CellKey> cold = new LinkedHashSet<>();
        for (int i = 0; i < keys.size(); i++) {
            if (cells.get(i).mark().isEmpty()) {
                cold.add(keys.get(i));
            }
        }
        return cold;
    }

    /** Loads the counters that are still not loaded: others may have loaded some of them meanwhile. */
    private void load(
            String type, List<CellKey> keys, Function<? super Set<String>, ? extends Map<String, Long>> loader) {
        Set<String> ids = cold(keys, store.cellsOf(keys)).stream()
                .map(key -> key.owner().id())
                .collect(toSet());
        if (ids.isEmpty()) {
            return;
        }
        Map<String, Long> found = Arguments.nonNull("the loader's answer", loader.apply(ids));
        Map<String, Long> values = new HashMap<>();
        ids.forEach(id -> values.put(id, found.getOrDefault(id, 0L)));
        load(type, values);
    }
}
