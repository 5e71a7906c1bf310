package io.feedkit.counter;

import static java.util.stream.Collectors.toSet;

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
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.time.Duration;
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
 *
 * @since 0.1.0
 */
public final class Counters {

    /** The most that one call adds or subtracts. */
    public static final long MAX_AMOUNT = 1_000_000_000;

    /** The most that a counter can begin with. */
    public static final long MAX_LOADED = 1L << 62;

    /** How long a thread waits for another one that loads the same counter. */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final CounterStore store;
    private final SharedWork<CellKey> loads = new SharedWork<>("counters.getOrLoad", LONGEST_WAIT);

    private Counters(CounterStore store) {
        this.store = Arguments.nonNull("store", store);
    }

    /**
     * Counters on a store.
     *
     * @param store where the counters are kept
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
        add(List.of(added(type, id, amount, Optional.empty())));
    }

    /**
     * Adds an amount once, even if it is called several times with the same operation. Atomic; idempotent.
     *
     * @param type the type
     * @param id the counter's id
     * @param amount the amount, from -{@value #MAX_AMOUNT} to {@value #MAX_AMOUNT}, and not zero
     * @param operation the operation's id, 1 to 1000 visible ASCII characters. The store keeps it for each counter, for
     *     the time that the store's documentation states
     * @throws ArithmeticException if the sum does not fit into 64 bits; nothing was changed
     */
    public void add(String type, String id, long amount, String operation) {
        add(List.of(added(type, id, amount, Optional.of(OperationIds.require(operation)))));
    }

    /**
     * Adds amounts to many counters, a thousand counters in one round trip, each counter atomically. If the outcome is
     * unknown, some amounts may have been added, and the call is not repeated automatically.
     *
     * @param type the type
     * @param amounts the amount for each id, from -{@value #MAX_AMOUNT} to {@value #MAX_AMOUNT}, and not zero
     * @throws IllegalArgumentException if an argument is not legal; nothing was changed
     * @throws ArithmeticException if a counter's sum does not fit into 64 bits. Such counters were not changed; the
     *     amounts of all others were added
     */
    public void add(String type, Map<String, Long> amounts) {
        add(type, amounts, Optional.empty());
    }

    /**
     * Adds amounts to many counters, to each once even if it is called several times with the same operation. A
     * thousand counters in one round trip, each counter atomically. Idempotent.
     *
     * @param type the type
     * @param amounts the amount for each id, from -{@value #MAX_AMOUNT} to {@value #MAX_AMOUNT}, and not zero
     * @param operation the operation's id, as of {@link #add(String, String, long, String)}
     * @throws IllegalArgumentException if an argument is not legal; nothing was changed
     * @throws ArithmeticException as {@link #add(String, Map)}; for counters that were not changed the operation may be
     *     tried again
     */
    public void add(String type, Map<String, Long> amounts, String operation) {
        add(type, amounts, Optional.of(OperationIds.require(operation)));
    }

    private void add(String type, Map<String, Long> amounts, Optional<String> operation) {
        Ids.require("type", type);
        List<Add> adds = new ArrayList<>(Arguments.nonNull("amounts", amounts).size());
        amounts.forEach(
                (id, amount) -> adds.add(added(type, id, Arguments.nonNull("amount of " + id, amount), operation)));
        add(adds);
    }

    private static Add added(String type, String id, long amount, Optional<String> operation) {
        CellKey key = key(type, id);
        if (amount == 0 || amount > MAX_AMOUNT || amount < -MAX_AMOUNT) {
            throw new IllegalArgumentException(
                    "amount must be from -" + MAX_AMOUNT + " to " + MAX_AMOUNT + " and not 0, but is " + amount);
        }
        return new Add(key, amount, operation).writtenBehind();
    }

    private void add(List<Add> adds) {
        List<Added> answers = SeveralSteps.call("counters.add", store, steps -> steps.addAll(adds));
        for (int i = 0; i < adds.size(); i++) {
            if (answers.get(i).outcome() == Outcome.OVERFLOW) {
                Add add = adds.get(i);
                throw new ArithmeticException("cannot add " + add.amount() + " to "
                        + add.key().name() + " of " + add.key().owner().id() + ": it holds "
                        + answers.get(i).count() + ", and the sum does not fit into 64 bits");
            }
        }
    }

    /**
     * Reads a counter.
     *
     * @param type the type
     * @param id the counter's id
     * @return the sum of the additions and the loaded value, at most {@link Long#MAX_VALUE}; {@code 0} if nothing was
     *     added or loaded
     */
    public long get(String type, String id) {
        return get(type, List.of(Ids.require("id", id))).get(0);
    }

    /**
     * Reads many counters, a thousand in one round trip.
     *
     * @param type the type
     * @param ids the counters' ids
     * @return for each id the counter's value
     */
    public List<Long> get(String type, List<String> ids) {
        return values(store.cellsOf(keys(type, ids)));
    }

    private static List<Long> values(List<Cell> cells) {
        return cells.stream().map(Counters::value).toList();
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
     * value. So a value must not include events that are also added here. A counter is loaded only once: a second load
     * changes nothing. Each counter atomically; idempotent.
     *
     * @param type the type
     * @param values the value to begin with for each id, 0 to {@value #MAX_LOADED}
     * @throws IllegalArgumentException if an id is not legal, or a value is null or out of range; nothing is loaded
     */
    public void load(String type, Map<String, Long> values) {
        SeveralSteps.run("counters.load", store, steps -> load(steps, type, values));
    }

    private static void load(CounterStore store, String type, Map<String, Long> values) {
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
        store.raiseAll(raises);
    }

    /**
     * Reads many counters, and first loads the counters that were never loaded. Threads that read the same counter from
     * this object at the same time share one load. Other objects on the same store, in this process or in another, do
     * not share it: each may load, and the value of the first load counts.
     *
     * @param type the type
     * @param ids the counters' ids
     * @param loader returns the values to {@link #load} for given ids; an id that it leaves out is loaded with
     *     {@code 0}. Its exceptions reach the caller and all callers that share the load; the next caller loads again.
     *     It must not read counters that are being loaded, because it would wait for itself
     * @return for each id the counter's value
     * @throws io.feedkit.StoreUnavailableException if another thread loads one of the counters, and has not finished
     *     within {@link #LONGEST_WAIT}, or if this thread is interrupted while it waits
     */
    public List<Long> getOrLoad(
            String type, List<String> ids, Function<? super Set<String>, ? extends Map<String, Long>> loader) {
        Arguments.nonNull("loader", loader);
        List<CellKey> keys = keys(type, ids);
        List<Cell> cells = store.cellsOf(keys);
        Set<CellKey> unloaded = unloaded(keys, cells);
        if (unloaded.isEmpty()) {
            return values(cells);
        }
        return SeveralSteps.call("counters.getOrLoad", store, steps -> {
            loads.share(unloaded, own -> load(steps, type, own, loader));
            return values(steps.cellsOf(keys));
        });
    }

    private static Set<CellKey> unloaded(List<CellKey> keys, List<Cell> cells) {
        Set<CellKey> unloaded = new LinkedHashSet<>();
        for (int i = 0; i < keys.size(); i++) {
            if (cells.get(i).mark().isEmpty()) {
                unloaded.add(keys.get(i));
            }
        }
        return unloaded;
    }

    /** Loads the counters that are still not loaded: others may have loaded some of them meanwhile. */
    private static void load(
            CounterStore store,
            String type,
            List<CellKey> keys,
            Function<? super Set<String>, ? extends Map<String, Long>> loader) {
        Set<String> ids = unloaded(keys, store.cellsOf(keys)).stream()
                .map(key -> key.owner().id())
                .collect(toSet());
        if (ids.isEmpty()) {
            return;
        }
        Map<String, Long> found = Arguments.nonNull("the loader's answer", loader.apply(ids));
        Map<String, Long> values = new HashMap<>();
        ids.forEach(id -> values.put(id, found.getOrDefault(id, 0L)));
        load(store, type, values);
    }
}
