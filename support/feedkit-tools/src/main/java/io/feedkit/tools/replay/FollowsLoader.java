package io.feedkit.tools.replay;

import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.ArrayList;
import java.util.List;

/** Writes follows to a graph, in batches. */
final class FollowsLoader {

    private static final int BATCH = 10_000;

    private final WritableFollowGraph graph;
    private final Names names;
    private final List<Edge> batch = new ArrayList<>(BATCH);

    FollowsLoader(WritableFollowGraph graph, Names names) {
        this.graph = graph;
        this.names = names;
    }

    void add(long reader, long author) {
        batch.add(new Edge(names.user(reader), names.user(author)));
        if (batch.size() == BATCH) {
            flush();
        }
    }

    void flush() {
        if (!batch.isEmpty()) {
            graph.add(batch);
            batch.clear();
        }
    }
}
