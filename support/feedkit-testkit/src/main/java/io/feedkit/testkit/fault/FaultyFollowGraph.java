package io.feedkit.testkit.fault;

import io.feedkit.PublishTransaction;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.KeyRange;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A follow graph over a connection. */
class FaultyFollowGraph implements FollowGraph {

    private final FollowGraph delegate;
    private final Connection connection;

    FaultyFollowGraph(FollowGraph delegate, Connection connection) {
        this.delegate = delegate;
        this.connection = connection;
    }

    @Override
    public List<IdPage> followers(List<FollowerQuery> queries) {
        return connection.read("graph.followers", () -> delegate.followers(queries));
    }

    @Override
    public IdPage followees(String reader, String after, int limit) {
        return connection.read("graph.followees", () -> delegate.followees(reader, after, limit));
    }

    @Override
    public Set<String> followed(String reader, Collection<String> authors) {
        return connection.read("graph.followed", () -> delegate.followed(reader, authors));
    }

    @Override
    public Map<String, FollowCounts> counts(Collection<String> users) {
        return connection.read("graph.counts", () -> delegate.counts(users));
    }

    @Override
    public List<KeyRange> split(String author, int parts) {
        return connection.read("graph.split", () -> delegate.split(author, parts));
    }

    /** A view over the same connection: what is asked in a transaction may fail, too. */
    @Override
    public FollowGraph joining(PublishTransaction transaction) {
        return new FaultyFollowGraph(delegate.joining(transaction), connection);
    }
}
