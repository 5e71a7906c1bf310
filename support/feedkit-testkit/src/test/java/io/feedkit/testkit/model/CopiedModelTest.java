package io.feedkit.testkit.model;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;

/** Random operations, while inboxes are filled from a store of copies that has faults. */
@DisplayName("A model of feeds with copies of inboxes")
class CopiedModelTest extends FeedStoreModelKit {

    private final CopiedRuns runs = new CopiedRuns();

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        FeedStore store = InMemoryFeedStore.create(clock);
        return FeedStore.of(new RestorableOutbox(clock), store::inbox, TwoSidedGraph.inMemory(), store.seenMarks());
    }

    /** Some steps let inboxes end. */
    @Override
    ModelSettings settings(ModelSettings random) {
        return random.withLiveWindow(FaultyCopies.INTERVAL);
    }

    @Override
    UnaryOperator<FeedEngineBuilder> with(SettableClock clock) {
        return runs.next();
    }

    @AfterEach
    void filled() {
        runs.assertFilled();
    }

    @Override
    protected int seeds() {
        return Integer.getInteger("feedkit.model.seeds", 60);
    }

    @Override
    protected int moreSeeds() {
        return Integer.getInteger("feedkit.model.moreSeeds", 150);
    }

    @Override
    protected long firstSeed() {
        return Long.getLong("feedkit.model.firstSeed", 201);
    }
}
