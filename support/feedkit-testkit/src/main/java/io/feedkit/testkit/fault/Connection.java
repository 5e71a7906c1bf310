package io.feedkit.testkit.fault;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.testkit.fault.Fault.Extent;
import io.feedkit.testkit.internal.Interception;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One process's connection to a store. It counts the calls, runs the hooks between them, and makes calls fail.
 * Thread-safe.
 */
final class Connection {

    private record Hook(Predicate<StoreCall> when, Consumer<StoreCall> action) {}

    /** Which calls fail, and how many of their keys are done before, if this differs from the fault's own number. */
    private record Rule(Predicate<StoreCall> when, Fault fault, OptionalInt keys) {}

    /** Calls that the engine makes in the background, without a caller who waits. */
    private static final Set<String> NOT_COUNTED =
            Set.of("inbox.claim", "inbox.deliveriesSafeSince", "fanout.latestLoss", "fanout.watch");

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger effects = new AtomicInteger();
    private final AtomicInteger faults = new AtomicInteger();
    private final List<Hook> hooks = new CopyOnWriteArrayList<>();
    private final List<Hook> afterwards = new CopyOnWriteArrayList<>();
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private volatile String unreachable = "";
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

    void fail(Predicate<StoreCall> when, Fault fault, OptionalInt keys) {
        rules.add(new Rule(when, fault, keys));
    }

    /** Sets which part of the store cannot be reached; empty for none. Returns the previous part. */
    String unreachable(String part) {
        String before = unreachable;
        unreachable = part;
        return before;
    }

    void clear() {
        hooks.clear();
        afterwards.clear();
        rules.clear();
    }

    /** Makes a call, or fails it. */
    @Nullable
    Object call(Interception.Call call) throws Throwable {
        if (NOT_COUNTED.contains(call.operation())) {
            return call.proceed();
        }
        StoreCall made = begin(call);
        if (!unreachable.isEmpty() && call.operation().startsWith(unreachable)) {
            throw fail(call, made, new Rule(each -> true, Fault.FAIL_BEFORE, OptionalInt.empty()));
        }
        Optional<Rule> rule =
                rules.stream().filter(each -> each.when().test(made)).findFirst();
        if (rule.isPresent()) {
            int keys = rule.get().keys().orElse(made.size() / 2);
            if (rule.get().fault() == Fault.REACH_PARTLY && keys > 0 && call.isDelivery()) {
                faults.incrementAndGet();
                return call.deliver(keys);
            }
            throw fail(call, made, rule.get());
        }
        Object answer = call.proceed();
        run(afterwards, made);
        return answer;
    }

    private StoreCall begin(Interception.Call call) {
        int effect = call.isRead() ? 0 : effects.incrementAndGet();
        StoreCall made = new StoreCall(calls.incrementAndGet(), effect, call.operation(), call.size());
        requireAlive(made);
        run(hooks, made);
        return made;
    }

    private RuntimeException fail(Interception.Call call, StoreCall made, Rule rule) throws Throwable {
        Extent extent = made.isEffect() ? rule.fault().extent() : Extent.NOTHING;
        if (extent == Extent.ALL) {
            Object unused = call.proceed();
        } else if (extent == Extent.SOME) {
            call.proceed(rule.keys().orElse(made.size() / 2));
        }
        faults.incrementAndGet();
        if (rule.fault().isCrash()) {
            dead = true;
            throw new ProcessCrash(made.operation());
        }
        return extent == Extent.NOTHING
                ? new StoreUnavailableException(made.operation(), null)
                : new OutcomeUnknownException(made.operation(), null);
    }

    private void run(List<Hook> due, StoreCall call) {
        for (Hook hook : due) {
            if (hook.when().test(call)) {
                hook.action().accept(call);
            }
        }
        requireAlive(call);
    }

    private void requireAlive(StoreCall call) {
        if (dead) {
            throw new ProcessCrash(call.operation());
        }
    }
}
