package io.feedkit.testkit.model;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.fault.Fault;
import io.feedkit.testkit.fault.FaultyFeedStore;
import io.feedkit.testkit.fault.StoreCall;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;

/**
 * What a host does, with a failure at every call to the store in turn. Each scenario runs once to number the calls; then once more for each call and each
 * {@linkplain Fault way} it can fail, and once more for a host that does not repeat what failed. A process that dies is replaced by a new engine on the same store.
 * At the end, when all leases and delays are over, no post may be lost, repeated or resurrected: all feeds must equal the
 * {@linkplain io.feedkit.testkit.oracle.OracleFeed oracle}'s, and all inboxes be within their bounds.
 */
public abstract class FeedStoreFailureKit {

    /** How a call that only reads can fail. */
    private static final Set<Fault> OF_READS = EnumSet.of(Fault.FAIL_BEFORE, Fault.CRASH_BEFORE);

    /** For leaf tests. */
    protected FeedStoreFailureKit() {}

    /**
     * Makes an empty store. It is called for every run, so it should be quick.
     *
     * @param clock the clock that the store is to measure leases and live windows by
     * @return a store with nothing in it, and a follow graph that can be written
     */
    protected abstract FeedStore emptyStore(SettableClock clock);

    /**
     * At which calls the store fails: at each, or at some of them, which are others in every scenario. A store that is far slower than memory may take fewer: what it can
     * get wrong when a call fails hardly depends on which.
     *
     * @return the distance of the calls at which the store fails; 1, unless overridden
     */
    protected int stride() {
        return 1;
    }

    @TestFactory
    @DisplayName("Failing at every call in turn loses, repeats and resurrects nothing")
    final Stream<DynamicTest> failingAtEveryCallInTurn(TestReporter reporter) {
        return Scenario.all().stream()
                .map(scenario -> DynamicTest.dynamicTest(scenario.name(), () -> failInTurn(scenario, reporter)));
    }

    private void failInTurn(Scenario scenario, TestReporter reporter) {
        List<StoreCall> calls = calls(scenario);
        int runs = 0;
        for (StoreCall call : calls) {
            if ((call.number() + scenario.name().length()) % stride() != 0) {
                continue;
            }
            for (Fault fault : call.isEffect() ? EnumSet.allOf(Fault.class) : OF_READS) {
                fail(scenario, call, fault);
                fail(scenario.withoutRepeats(), call, fault);
                runs += 2;
            }
        }
        long effects = calls.stream().filter(StoreCall::isEffect).count();
        reporter.publishEntry(
                scenario.name(), effects + " effects, " + (calls.size() - effects) + " reads, " + runs + " runs");
    }

    /** Runs without a failure, and numbers the calls. */
    private List<StoreCall> calls(Scenario scenario) {
        List<StoreCall> calls = new ArrayList<>();
        ModelRun run = begin(scenario);
        run.cluster().store(0).onCall(call -> true, calls::add);
        run.run(scenario.act());
        List<StoreCall> made = List.copyOf(calls);
        run.settle();
        return made;
    }

    private void fail(Scenario scenario, StoreCall failing, Fault fault) {
        try {
            ModelRun run = begin(scenario);
            FaultyFeedStore store = run.cluster().store(0);
            store.fail(call -> call.number() == failing.number(), fault);
            run.run(scenario.act());
            run.settle();
        } catch (RuntimeException | Error failure) {
            throw new AssertionError(
                    scenario.name() + ", with " + fault + " at " + failing + " in " + scenario.act(), failure);
        }
    }

    private ModelRun begin(Scenario scenario) {
        SettableClock clock = SettableClock.startingAt(FeedStoreModelKit.START);
        ModelRun run = new ModelRun(emptyStore(clock), clock, scenario.settings());
        run.run(scenario.before());
        return run;
    }
}
