package io.feedkit.testkit.forwarding;

import io.feedkit.Post;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Position;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * An inbox that passes every call on. Implement {@link #delegate()} and override the calls that should behave
 * differently: a fault, a count, a delay.
 *
 * @since 0.1.0
 */
public interface ForwardingInbox extends Inbox {

    /**
     * The target of the calls.
     *
     * @return the decorated part
     */
    Inbox delegate();

    @Override
    default void claim(String identity) {
        delegate().claim(identity);
    }

    @Override
    default List<List<Outcome>> deliver(List<Delivery> deliveries) {
        return delegate().deliver(deliveries);
    }

    @Override
    default List<Slice> slice(List<SliceQuery> queries) {
        return delegate().slice(queries);
    }

    @Override
    default List<Count> count(List<CountQuery> queries) {
        return delegate().count(queries);
    }

    @Override
    default List<Window> windows(List<String> readers) {
        return delegate().windows(readers);
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
    default List<Boolean> merge(List<Merge> merges) {
        return delegate().merge(merges);
    }

    @Override
    default boolean complete(String reader, long generation, long mark, long followees) {
        return delegate().complete(reader, generation, mark, followees);
    }

    @Override
    default void retract(List<Retraction> retractions) {
        delegate().retract(retractions);
    }

    @Override
    default void remove(List<Removal> removals) {
        delegate().remove(removals);
    }

    @Override
    default boolean purge(String reader, Collection<String> authors, long token) {
        return delegate().purge(reader, authors, token);
    }

    @Override
    default List<Boolean> purge(List<PendingChange> changes) {
        return delegate().purge(changes);
    }

    @Override
    default long beginFollow(String reader, Collection<String> authors) {
        return delegate().beginFollow(reader, authors);
    }

    @Override
    default List<Long> beginFollow(List<String> readers, Collection<String> authors) {
        return delegate().beginFollow(readers, authors);
    }

    @Override
    default Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled) {
        return delegate().endFollow(reader, authors, token, toggled);
    }

    @Override
    default List<Set<String>> endFollow(List<PendingChange> changes) {
        return delegate().endFollow(changes);
    }

    @Override
    default void drop(List<String> readers) {
        delegate().drop(readers);
    }

    @Override
    default long deliveriesSafeSince() {
        return delegate().deliveriesSafeSince();
    }

    @Override
    default void forEachReader(Predicate<List<String>> visitor) {
        delegate().forEachReader(visitor);
    }
}
