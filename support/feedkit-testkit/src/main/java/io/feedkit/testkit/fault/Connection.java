package io.feedkit.testkit.fault;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.testkit.fault.Fault.Extent;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** One process's connection to a store: counts the calls, runs what was hooked in between, and lets calls fail. Thread-safe. */
final class Connection {

    private record Hook(Predicate<StoreCall> when, Consumer<StoreCall> action) {}

    private record Rule(Predicate<StoreCall> when, Fault fault) {}

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger effects = new AtomicInteger();
    private final AtomicInteger faults = new AtomicInteger();
    private final List<Hook> hooks = new CopyOnWriteArrayList<>();
    private final List<Hook> afterwards = new CopyOnWriteArrayList<>();
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private volatile boolean dead;

    int effects() {
        return effects.get();
    }

    int faults() {
        return faults.get();
    }

    boolean isDead() {
        return dead;
    }

    void kill() {
        dead = true;
    }

    void onCall(Predicate<StoreCall> when, Consumer<StoreCall> action) {
        hooks.add(new Hook(when, action));
    }

    void onAnswer(Predicate<StoreCall> when, Consumer<StoreCall> action) {
        afterwards.add(new Hook(when, action));
    }

    void fail(Predicate<StoreCall> when, Fault fault) {
        rules.add(new Rule(when, fault));
    }

    void clear() {
        hooks.clear();
        afterwards.clear();
        rules.clear();
    }

    <T> T read(String operation, Supplier<T> call) {
        StoreCall made = begin(operation, 0);
        Optional<Fault> fault = fault(made);
        if (fault.isPresent()) {
            throw end(operation, fault.get(), false);
        }
        return answer(made, call.get());
    }

    /** A write of one request. */
    <T> T write(String operation, Supplier<T> call) {
        return write(operation, call, () -> {});
    }

    /** A write of a batch, of which it is also known how to do the first half only. */
    <T> T write(String operation, Supplier<T> call, Runnable half) {
        StoreCall made = begin(operation, effects.incrementAndGet());
        Optional<Fault> fault = fault(made);
        if (fault.isEmpty()) {
            return answer(made, call.get());
        }
        Extent extent = fault.get().extent();
        if (extent == Extent.ALL) {
            T unused = call.get();
        } else if (extent == Extent.HALF) {
            half.run();
        }
        throw end(operation, fault.get(), extent != Extent.NOTHING);
    }

    private StoreCall begin(String operation, int effect) {
        StoreCall call = new StoreCall(calls.incrementAndGet(), effect, operation);
        requireAlive(operation);
        run(hooks, call);
        return call;
    }

    private Optional<Fault> fault(StoreCall call) {
        return rules.stream()
                .filter(rule -> rule.when().test(call))
                .map(Rule::fault)
                .findFirst();
    }

    private <T> T answer(StoreCall call, T answer) {
        run(afterwards, call);
        return answer;
    }

    private void run(List<Hook> due, StoreCall call) {
        for (Hook hook : due) {
            if (hook.when().test(call)) {
                hook.action().accept(call);
            }
        }
        requireAlive(call.operation());
    }

    private RuntimeException end(String operation, Fault fault, boolean unknown) {
        faults.incrementAndGet();
        if (fault.isCrash()) {
            dead = true;
            throw new ProcessCrash(operation);
        }
        return unknown ? new OutcomeUnknownException(operation, null) : new StoreUnavailableException(operation, null);
    }

    private void requireAlive(String operation) {
        if (dead) {
            throw new ProcessCrash(operation);
        }
    }
}
