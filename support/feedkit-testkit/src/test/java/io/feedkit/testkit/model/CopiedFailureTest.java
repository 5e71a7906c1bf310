package io.feedkit.testkit.model;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/** The scenarios for readers who come back: their inboxes are filled from a store of copies that has faults. */
@Tag("memory")
@DisplayName("Failures of calls with copies of inboxes")
class CopiedFailureTest extends FeedStoreFailureKit {

    private final CopiedRuns runs = new CopiedRuns();

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        FeedStore store = InMemoryFeedStore.create(clock);
        return FeedStore.of(new RestorableOutbox(clock), store::inbox, TwoSidedGraph.inMemory(), store.seenMarks());
    }

    /**
     * A third of the scenarios. All readers lose their inboxes. The first half of them comes back in the steps in which
     * calls fail.
     */
    @Override
    List<Scenario> scenarios() {
        List<Scenario> all = Scenario.all();
        return IntStream.range(0, all.size())
                .filter(i -> i % 3 == 0)
                .mapToObj(i -> withAbsence(all.get(i)))
                .toList();
    }

    private static Scenario withAbsence(Scenario scenario) {
        List<Step> before = new ArrayList<>(scenario.before());
        List<Step> act = new ArrayList<>();
        for (String user : Users.ALL) {
            before.add(new Step.Evict(user));
            if (act.size() < Users.ALL.size() / 2) {
                act.add(new Step.Read(0, user, 0, Step.Page.FIRST, 3, true));
            }
        }
        act.addAll(scenario.act());
        return new Scenario(scenario.name(), scenario.settings(), before, act);
    }

    @Override
    UnaryOperator<FeedEngineBuilder> with(SettableClock clock) {
        return runs.next();
    }

    @Override
    protected int stride() {
        return 127;
    }

    /** A sample is enough: the calls that copies add are few. */
    @Override
    protected int exhaustiveStride() {
        return 47;
    }

    @AfterEach
    void filled() {
        runs.assertFilled();
    }
}
