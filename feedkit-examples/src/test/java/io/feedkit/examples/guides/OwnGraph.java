package io.feedkit.examples.guides;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.forwarding.ForwardingFollowGraph;
import java.util.List;

/** Stands for a table of the host's. */
final class OwnGraph implements ForwardingFollowGraph {

    private final WritableFollowGraph edges;

    private OwnGraph(WritableFollowGraph edges) {
        this.edges = edges;
    }

    static OwnGraph empty() {
        return new OwnGraph(InMemoryFeedStore.create().graph());
    }

    void insert(String reader, String author) {
        edges.add(List.of(new Edge(reader, author)));
    }

    void delete(String reader, String author) {
        edges.remove(List.of(new Edge(reader, author)));
    }

    @Override
    public FollowGraph delegate() {
        return edges;
    }
}
