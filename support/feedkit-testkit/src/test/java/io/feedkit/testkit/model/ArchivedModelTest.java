package io.feedkit.testkit.model;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPostArchive;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.internal.outbox.MovedOutbox;
import org.junit.jupiter.api.DisplayName;

/** Random operations, while posts move to an archive between any two calls. */
@DisplayName("A model of feeds with an archive")
class ArchivedModelTest extends FeedStoreModelKit {

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        InMemoryFeedStore store = InMemoryFeedStore.create(clock);
        return FeedStore.of(
                MovedOutbox.over(store.outbox(), InMemoryPostArchive.create(), clock, MovedOutbox.Mover.BOTH),
                store::inbox,
                TwoSidedGraph.inMemory(),
                store.seenMarks());
    }

    /** Fewer runs than the other models: the engine's code is the same. */
    @Override
    protected int seeds() {
        return Integer.getInteger("feedkit.model.seeds", 20);
    }

    @Override
    protected int moreSeeds() {
        return Integer.getInteger("feedkit.model.moreSeeds", 250);
    }

    @Override
    protected long firstSeed() {
        return Long.getLong("feedkit.model.firstSeed", 101);
    }
}
