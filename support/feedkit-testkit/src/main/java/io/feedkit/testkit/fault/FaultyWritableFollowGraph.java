package io.feedkit.testkit.fault;

import io.feedkit.spi.WritableFollowGraph;
import java.util.List;

/** A follow graph of FeedKit's own over a connection. */
final class FaultyWritableFollowGraph extends FaultyFollowGraph implements WritableFollowGraph {

    private final WritableFollowGraph delegate;
    private final Connection connection;

    FaultyWritableFollowGraph(WritableFollowGraph delegate, Connection connection) {
        super(delegate, connection);
        this.delegate = delegate;
        this.connection = connection;
    }

    @Override
    public List<Boolean> add(List<Edge> edges) {
        return connection.write("graph.add", () -> delegate.add(edges), () -> delegate.add(Halves.of(edges)));
    }

    @Override
    public List<Boolean> remove(List<Edge> edges) {
        return connection.write("graph.remove", () -> delegate.remove(edges), () -> delegate.remove(Halves.of(edges)));
    }

    @Override
    public void settle(List<Edge> edges) {
        connection.write(
                "graph.settle",
                () -> {
                    delegate.settle(edges);
                    return true;
                },
                () -> delegate.settle(Halves.of(edges)));
    }
}
