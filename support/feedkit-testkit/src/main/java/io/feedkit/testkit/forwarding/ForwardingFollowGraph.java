package io.feedkit.testkit.forwarding;

import io.feedkit.FollowCounts;
import io.feedkit.PublishTransaction;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.KeyRange;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A follow graph that passes every call on. Implement {@link #delegate()} and override the calls that should behave
 * differently: a fault, a count, a delay. {@link #joining} hands out the delegate's own view.
 *
 * @since 0.1.0
 */
public interface ForwardingFollowGraph extends FollowGraph {

    /**
     * The target of the calls.
     *
     * @return the decorated part
     */
    FollowGraph delegate();

    @Override
    default List<IdPage> followers(List<FollowerQuery> queries) {
        return delegate().followers(queries);
    }

    @Override
    default IdPage followees(String reader, String after, int limit) {
        return delegate().followees(reader, after, limit);
    }

    @Override
    default List<IdPage> followees(List<String> readers, int limit) {
        return delegate().followees(readers, limit);
    }

    @Override
    default Set<String> followed(String reader, Collection<String> authors) {
        return delegate().followed(reader, authors);
    }

    @Override
    default Map<String, FollowCounts> counts(Collection<String> users) {
        return delegate().counts(users);
    }

    @Override
    default List<KeyRange> split(String author, int parts) {
        return delegate().split(author, parts);
    }

    @Override
    default FollowGraph joining(PublishTransaction transaction) {
        return delegate().joining(transaction);
    }

    @Override
    default void forEachUser(Predicate<List<String>> visitor) {
        delegate().forEachUser(visitor);
    }
}
