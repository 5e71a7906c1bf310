package io.feedkit.testkit.forwarding;

import io.feedkit.spi.Position;
import io.feedkit.spi.SeenMarks;
import java.util.Collection;
import java.util.List;

/**
 * Marks that pass every call on. Implement {@link #delegate()} and override the calls that should behave differently:
 * a fault, a count, a delay.
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
    default List<Position> lastSeen(List<String> readers) {
        return delegate().lastSeen(readers);
    }

    @Override
    default void forget(Collection<String> readers) {
        delegate().forget(readers);
    }
}
