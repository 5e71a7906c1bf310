package io.feedkit.testkit.model;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import org.junit.jupiter.api.Tag;

@Tag("memory")
class InMemoryFailureTest extends FeedStoreFailureKit {

    @Override
    protected FeedStore emptyStore(SettableClock clock) {
        FeedStore store = InMemoryFeedStore.create(clock);
        return FeedStore.of(new RestorableOutbox(clock), store::inbox, TwoSidedGraph.inMemory(), store.seenMarks());
    }
}
