package io.feedkit.examples.guides;

import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.FollowGraphCompatibilityKit;
import java.util.List;

/** How a host tests its own follow graph, as the guide to testing shows it. */
// guide
class OwnGraphGuideTest extends FollowGraphCompatibilityKit {

    private final OwnGraph graph = OwnGraph.empty(); // your FollowGraph, on a test database

    @Override
    protected FollowGraph graph() {
        return graph;
    }

    @Override
    protected void follow(List<Edge> edges) {
        edges.forEach(edge -> graph.insert(edge.reader(), edge.author()));
    }

    @Override
    protected void unfollow(List<Edge> edges) {
        edges.forEach(edge -> graph.delete(edge.reader(), edge.author()));
    }
}
// end
