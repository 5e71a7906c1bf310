package io.feedkit.testkit.forwarding;

import io.feedkit.spi.WritableFollowGraph;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * A writable follow graph that passes every call on. Implement {@link #delegate()} and override the calls that should
 * behave differently: a fault, a count, a delay.
 *
 * @since 0.1.0
 */
public interface ForwardingWritableFollowGraph extends ForwardingFollowGraph, WritableFollowGraph {

    /**
     * The target of the calls.
     *
     * @return the decorated part
     */
    @Override
    WritableFollowGraph delegate();

    @Override
    default List<Boolean> add(List<Edge> edges) {
        return delegate().add(edges);
    }

    @Override
    default List<Boolean> remove(List<Edge> edges) {
        return delegate().remove(edges);
    }

    @Override
    default List<Redirection> redirect(List<Edge> edges, String author) {
        return delegate().redirect(edges, author);
    }

    @Override
    default void settle(List<Edge> edges) {
        delegate().settle(edges);
    }

    @Override
    default Set<Edge> oneSided(Collection<Edge> edges) {
        return delegate().oneSided(edges);
    }

    @Override
    default void recount(Collection<String> users) {
        delegate().recount(users);
    }
}
