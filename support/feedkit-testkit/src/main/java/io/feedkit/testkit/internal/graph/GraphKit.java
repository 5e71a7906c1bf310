package io.feedkit.testkit.internal.graph;

import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.List;

/** The kit of a graph as its rules see it. */
public interface GraphKit {

    FollowGraph graph();

    void follow(List<Edge> edges);

    void unfollow(List<Edge> edges);
}
