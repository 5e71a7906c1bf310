package io.feedkit.testkit.forwarding;

import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenPosts;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * Marks that pass every call on. Implement {@link #delegate()} and override the calls that should behave differently:
 * a fault, a count, a delay.
 *
 * @since 0.1.0
 */
public interface ForwardingSeenMarks extends SeenMarks {

    /**
     * The target of the calls.
     *
     * @return the decorated part
     */
    SeenMarks delegate();

    @Override
    default void markSeen(List<Seen> seen) {
        delegate().markSeen(seen);
    }

    @Override
    default void reset(List<Seen> seen) {
        delegate().reset(seen);
    }

    @Override
    default List<SeenPosts> lastSeen(List<String> readers) {
        return delegate().lastSeen(readers);
    }

    @Override
    default void forget(Collection<String> readers) {
        delegate().forget(readers);
    }

    @Override
    default void forEachReader(Predicate<List<String>> visitor) {
        delegate().forEachReader(visitor);
    }
}
