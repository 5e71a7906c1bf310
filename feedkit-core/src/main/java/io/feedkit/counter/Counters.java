package io.feedkit.counter;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;

import io.feedkit.spi.Ids;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterStore.Add;
import io.feedkit.spi.counter.CounterStore.Added;
import io.feedkit.spi.counter.CounterStore.Cell;
import io.feedkit.spi.counter.CounterStore.CellKey;
import io.feedkit.spi.counter.CounterStore.Outcome;
import io.feedkit.spi.counter.CounterStore.Owner;
import io.feedkit.spi.counter.CounterStore.Raise;
import io.feedkit.spi.counter.CounterStore.Space;
import io.feedkit.spi.counter.CounterStore.When;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Plain counters, which may fall, also below zero. Thread-safe.
 *
 * <p>A host keeps one instance for a store: only the threads that share it share the loads of {@link #getOrLoad}.
 */
public final class Counters {

    /** The most that one call adds, either way. */
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
     * Adds. Atomic. If the outcome is unknown it may have been done, and is not repeated by itself.
     *
     * @param type the type
     * @param id whose
     * @param amount how much, at most {@value #MAX_AMOUNT} either way, and not zero
     * @throws ArithmeticException if that does not fit into 64 bits; nothing was changed
     */
    public void add(String type, String id, long amount) {
        add(type, id, amount, Optional.empty());
    }

    /**
     * Adds once, however often it is called with the same operation. Atomic; idempotent.
     *
     * @param type the type
     * @param id whose
     * @param amount how much, at most {@value #MAX_AMOUNT} either way, and not zero
     * @param operation names what is done, at most 64 visible ASCII characters
     * @throws ArithmeticException if that does not fit into 64 bits; nothing was changed
     */
    public void add(String type, String id, long amount, String operation) {
        add(type, id, amount, Optional.of(Ids.require("operation", operation)));
    }

    private void add(String type, String id, long amount, Optional<String> operation) {
        CellKey key = key(type, id);
        if (amount == 0 || amount > MAX_AMOUNT || amount < -MAX_AMOUNT) {
            throw new IllegalArgumentException(
                    "amount must be between 1 and " + MAX_AMOUNT + " either way, but is " + amount);
        }
        Added added = store.add(List.of(new Add(key, amount, operation).writtenBehind()))
                .get(0);
        if (added.outcome() == Outcome.OVERFLOW) {
            throw new ArithmeticException(
                    "amount does not fit beside what " + type + " of " + id + " holds: " + added.count());
        }
    }

    /**
     * Reads a counter.
     *
     * @param type the type
     * @param id whose
     * @return what it holds: what was added and what was loaded, {@link Long#MAX_VALUE} if that is more; {@code 0} if
     *     nothing was
     */
    public long get(String type, String id) {
        return get(type, List.of(Ids.require("id", id))).get(0);
    }

    /**
     * Reads many counters in one round trip.
     *
     * @param type the type
     * @param ids whose
     * @return for each what it holds
     */
    public List<Long> get(String type, List<String> ids) {
        return store.cellsOf(keys(type, ids)).stream().map(Counters::value).toList();
    }

    private static List<CellKey> keys(String type, List<String> ids) {
        Ids.require("type", type);
        return Arguments.nonNull("ids", ids).stream().map(id -> key(type, id)).toList();
    }

    /** What was added, and what was loaded, which is the mark; at most what fits. */
    private static long value(Cell cell) {
        long loaded = cell.mark().orElse(0);
        return cell.count() > Long.MAX_VALUE - loaded ? Long.MAX_VALUE : cell.count() + loaded;
    }

    /**
     * Brings in what counters held elsewhere. What is added before or after is added to it. A counter is loaded once:
     * again, it stays as it is. Each atomically; idempotent.
     *
     * @param type the type
     * @param values what to begin with for each id, 0 to {@value #MAX_LOADED}
     * @throws IllegalArgumentException if an id is none, or a value is null or out of range; nothing is loaded
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
     * Reads many counters, and loads those first that were never loaded. Threads that ask this object for the same
     * counter at once share one load. Other objects on the same store know nothing of it, in this process or in
     * another: each may load, and the first one's value counts.
     *
     * @param type the type
     * @param ids whose
     * @param loader gives what each of some ids held elsewhere, as {@link #load} takes it; {@code 0} for those it
     *     leaves out. What it throws reaches the caller, also one that shares the load, and the next caller asks again.
     *     It must not ask for counters that are being loaded: it would wait for itself
     * @return for each what it holds
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

    /** Loads what is cold still: others may have loaded it since it was looked at. */
    private void load(
            String type, List<CellKey> keys, Function<? super Set<String>, ? extends Map<String, Long>> loader) {
        Set<String> ids = cold(keys, store.cellsOf(keys)).stream()
                .map(key -> key.owner().id())
                .collect(toSet());
        if (ids.isEmpty()) {
            return;
        }
        Map<String, Long> found = Arguments.nonNull("what the loader answers", loader.apply(ids));
        Map<String, Long> values = new HashMap<>();
        ids.forEach(id -> values.put(id, found.getOrDefault(id, 0L)));
        load(type, values);
    }
}
