package io.feedkit.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.Exhaustive;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.fault.Fault;
import io.feedkit.testkit.fault.FaultyFeedStore;
import io.feedkit.testkit.fault.StoreCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;

/**
 * Scenarios of a host, with a failure at every call to the store in turn, or at a sample of the calls. Each scenario
 * runs once to number the calls. Then it runs once more for each call and each {@linkplain Fault way} to fail; batches
 * fail after each of their keys. All this is repeated for a host that does not repeat failed calls. Writes to a
 * {@link TwoSidedGraph} are also interrupted between its sides. A process that dies is replaced by a new engine on the
 * same store. At the end, when all leases and delays have passed, no post may be lost, repeated or resurrected. All
 * feeds must equal the feeds of the {@linkplain io.feedkit.testkit.oracle.OracleFeed oracle}, and all inboxes must be
 * within their bounds.
 *
 * @since 0.1.0
 */
public abstract class FeedStoreFailureKit {

    /**
     * Batches of up to this many keys are cut after each key. Larger batches are cut after the first key, in the
     * middle, and before the last key.
     */
    private static final int SMALL_BATCH = 4;

    /**
     * How a call fails.
     *
     * @param fault the fault
     * @param keys how many keys of a batch are done, for a fault that does some
     * @param readerSides whether a write to the follow graph is done on the readers' sides only
     */
    private record Way(Fault fault, int keys, boolean readerSides) {
        static Way of(Fault fault) {
            return new Way(fault, 0, false);
        }

        @Override
        public String toString() {
            return fault + (readerSides ? ", on the readers' sides only," : " after " + keys + " keys");
        }
    }

    private boolean twoSided;

    /** For leaf tests. */
    protected FeedStoreFailureKit() {}

    /**
     * Creates an empty store. It is called for every run, so it should be quick.
     *
     * @param clock the clock that the store uses for leases and live windows
     * @return an empty store with a writable follow graph
     */
    protected abstract FeedStore emptyStore(SettableClock clock);

    /**
     * The distance of the runs in the sample. A run is one call that fails in one way, for a host that repeats failed
     * calls or for one that does not. Each scenario begins to count at a different run, and has at least one run. Over
     * all scenarios, a prime number above 12 selects all ways to fail.
     *
     * @return the distance; 61, unless overridden
     */
    protected int stride() {
        return 61;
    }

    /**
     * Returns whether a scenario is in the sample. Leaf tests of several servers can divide the scenarios among them.
     *
     * @param number the number of a scenario
     * @return whether it is in the sample; true, unless overridden
     */
    protected boolean samples(int number) {
        return true;
    }

    /**
     * The distance of the runs in the {@link Exhaustive} test. A store that is far slower than memory may leave out
     * some runs here too.
     *
     * @return the distance; 1, for all runs, unless overridden
     */
    protected int exhaustiveStride() {
        return 1;
    }

    /** The scenarios. */
    List<Scenario> scenarios() {
        return Scenario.all();
    }

    /** Sets further settings of the engines of a run. It is called for every run. */
    UnaryOperator<FeedEngineBuilder> with(SettableClock clock) {
        return UnaryOperator.identity();
    }

    @TestFactory
    @DisplayName("A failure of some calls in turn loses, repeats and resurrects nothing")
    final Stream<DynamicTest> failingAtSomeCallsInTurn(TestReporter reporter) {
        List<Scenario> all = scenarios();
        return IntStream.range(0, all.size())
                .filter(this::samples)
                .mapToObj(i -> failInTurn(all.get(i), stride(), false, reporter));
    }

    @Exhaustive
    @TestFactory
    @DisplayName(
            "A failure of every call in turn, or of a sample for a slow store, loses, repeats and resurrects nothing")
    final Stream<DynamicTest> failingAtEveryCallInTurn(TestReporter reporter) {
        return scenarios().stream()
                .map(scenario -> failInTurn(scenario, exhaustiveStride(), exhaustiveStride() == 1, reporter));
    }

    private DynamicTest failInTurn(Scenario scenario, int stride, boolean alsoWithout, TestReporter reporter) {
        return DynamicTest.dynamicTest(scenario.name(), () -> runs(scenario, stride, alsoWithout, reporter));
    }

    private void runs(Scenario scenario, int stride, boolean alsoWithout, TestReporter reporter) {
        List<StoreCall> calls = calls(scenario, alsoWithout);
        // Begins at any of the first runs up to the stride, but makes at least one run.
        int all = 2 * calls.stream().mapToInt(call -> waysToFail(call).size()).sum();
        int number = stride - 1 - Math.floorMod(scenario.name().hashCode(), Math.min(stride, all));
        int runs = 0;
        for (StoreCall call : calls) {
            for (Way way : waysToFail(call)) {
                for (Scenario host : List.of(scenario, scenario.withoutRepeats())) {
                    if (++number % stride == 0) {
                        fail(host, call, way);
                        runs++;
                    }
                }
            }
        }
        assertThat(runs).as("runs with a failure").isPositive();
        long effects = calls.stream().filter(StoreCall::isEffect).count();
        reporter.publishEntry(
                scenario.name(), effects + " effects, " + (calls.size() - effects) + " reads, " + runs + " runs");
    }

    private List<Way> waysToFail(StoreCall call) {
        List<Way> ways = new ArrayList<>(List.of(Way.of(Fault.FAIL_BEFORE), Way.of(Fault.CRASH_BEFORE)));
        if (call.isEffect()) {
            ways.addAll(List.of(Way.of(Fault.FAIL_AFTER), Way.of(Fault.CRASH_AFTER)));
            for (int keys : cuts(call.size())) {
                ways.add(new Way(Fault.FAIL_PARTLY, keys, false));
                ways.add(new Way(Fault.CRASH_PARTLY, keys, false));
                if (keys > 0 && call.operation().equals("inbox.deliver")) {
                    ways.add(new Way(Fault.REACH_PARTLY, keys, false));
                }
            }
            if (twoSided && TwoSidedGraph.WRITES.contains(call.operation())) {
                ways.add(new Way(Fault.FAIL_AFTER, 0, true));
                ways.add(new Way(Fault.CRASH_AFTER, 0, true));
            }
        }
        return ways;
    }

    /**
     * The numbers of keys after which a batch is cut. For a single key nothing is done, and the caller gets an unknown
     * outcome.
     */
    private static Collection<Integer> cuts(int size) {
        return size <= SMALL_BATCH
                ? IntStream.range(0, size).boxed().toList()
                : new TreeSet<>(List.of(1, size / 2, size - 1));
    }

    /**
     * Runs without a failure, and numbers the calls. With a stride, the feeds are not compared afterwards: that would
     * take as long as the other runs.
     */
    private List<StoreCall> calls(Scenario scenario, boolean alsoWithout) {
        List<StoreCall> calls = new ArrayList<>();
        ModelRun run = begin(scenario);
        run.cluster().store(0).onCall(call -> true, calls::add);
        run.run(scenario.act());
        List<StoreCall> made = List.copyOf(calls);
        if (alsoWithout) {
            run.settle();
        }
        return made;
    }

    private void fail(Scenario scenario, StoreCall failing, Way way) {
        try {
            ModelRun run = begin(scenario);
            FaultyFeedStore store = run.cluster().store(0);
            Predicate<StoreCall> when = firstLike(failing);
            if (way.readerSides()) {
                run.cutSides(store, when, way.fault());
            } else if (way.fault().isPartly() || way.fault() == Fault.REACH_PARTLY) {
                store.failAfterKeys(when, way.fault(), way.keys());
            } else {
                store.fail(when, way.fault());
            }
            run.run(scenario.act());
            run.settle();
        } catch (RuntimeException | Error failure) {
            throw new AssertionError(
                    scenario.name() + ", with " + way + " at " + failing + " in " + scenario.act() + ": " + failure,
                    failure);
        }
    }

    /**
     * If a store hands out tasks in no fixed order, the calls of two runs can differ. Then the next call of the same
     * operation fails that has at least as many keys.
     */
    private static Predicate<StoreCall> firstLike(StoreCall failing) {
        AtomicBoolean found = new AtomicBoolean();
        return call -> call.number() >= failing.number()
                && call.operation().equals(failing.operation())
                && call.size() >= failing.size()
                && found.compareAndSet(false, true);
    }

    private ModelRun begin(Scenario scenario) {
        SettableClock clock = SettableClock.startingAt(FeedStoreModelKit.START);
        ModelRun run = new ModelRun(emptyStore(clock), clock, scenario.settings(), with(clock));
        twoSided = run.sides().isPresent();
        run.run(scenario.before());
        return run;
    }
}
