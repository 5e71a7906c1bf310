package io.feedkit.testkit.internal.graph;

import io.feedkit.spi.WritableFollowGraph;

/** The kit of a graph that FeedKit writes, as its rules see it. */
public interface WritableGraphKit extends GraphKit {

    @Override
    WritableFollowGraph graph();

    int threads();
}
