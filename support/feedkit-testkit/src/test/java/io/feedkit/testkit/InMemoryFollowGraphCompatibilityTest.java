package io.feedkit.testkit;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.WritableFollowGraph;

class InMemoryFollowGraphCompatibilityTest extends WritableFollowGraphCompatibilityKit {

    private final InMemoryFeedStore store = InMemoryFeedStore.create();

    @Override
    protected WritableFollowGraph graph() {
        return store.graph();
    }
}
