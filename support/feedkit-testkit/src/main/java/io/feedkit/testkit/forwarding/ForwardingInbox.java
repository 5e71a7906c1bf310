package io.feedkit.testkit.forwarding;

import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Position;
import java.util.List;

/**
 * An inbox that passes every call on. Implement {@link #delegate()} and override the calls that should behave differently:
 * a fault, a count, a delay.
 */
public interface ForwardingInbox extends Inbox {

    /**
     * What the calls are passed on to.
     *
     * @return the decorated part
     */
    Inbox delegate();

    @Override
    default List<List<Outcome>> deliver(List<Delivery> deliveries) {
        return delegate().deliver(deliveries);
    }

    @Override
    default List<Slice> slice(List<SliceQuery> queries) {
        return delegate().slice(queries);
    }

    @Override
    default Opening open(String reader, long leaseMillis, boolean replace) {
        return delegate().open(reader, leaseMillis, replace);
    }

    @Override
    default boolean merge(String reader, long generation, List<Post> posts, Position floor) {
        return delegate().merge(reader, generation, posts, floor);
    }

    @Override
    default boolean complete(String reader, long generation, long mark) {
        return delegate().complete(reader, generation, mark);
    }

    @Override
    default void retract(List<Retraction> retractions) {
        delegate().retract(retractions);
    }

    @Override
    default boolean purge(String reader, String author, long epoch) {
        return delegate().purge(reader, author, epoch);
    }

    @Override
    default long beginFollow(String reader, String author) {
        return delegate().beginFollow(reader, author);
    }

    @Override
    default boolean endFollow(String reader, String author, long token) {
        return delegate().endFollow(reader, author, token);
    }

    @Override
    default long recordUnfollow(String reader, String author) {
        return delegate().recordUnfollow(reader, author);
    }

    @Override
    default void drop(List<String> readers) {
        delegate().drop(readers);
    }

    @Override
    default long trustedSince() {
        return delegate().trustedSince();
    }
}
