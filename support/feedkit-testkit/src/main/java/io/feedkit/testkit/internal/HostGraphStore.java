package io.feedkit.testkit.internal;

import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingFollowGraph;

/** A store whose follow graph belongs to the host: engines can only read it, and get reports of its changes. */
public record HostGraphStore(FeedStore delegate) implements ForwardingFeedStore {

    private record ReadOnly(FollowGraph delegate) implements ForwardingFollowGraph {}

    @Override
    public FollowGraph graph() {
        return new ReadOnly(delegate.graph());
    }
}
