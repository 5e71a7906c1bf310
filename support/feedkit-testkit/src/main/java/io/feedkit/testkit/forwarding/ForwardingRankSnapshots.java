package io.feedkit.testkit.forwarding;

import io.feedkit.spi.RankSnapshots;
import java.util.Collection;
import java.util.Optional;

/**
 * Ranked orders that pass every call on. Implement {@link #delegate()} and override the calls that should behave
 * differently: a fault, a count, a delay.
 *
 * @since 0.1.0
 */
public interface ForwardingRankSnapshots extends RankSnapshots {

    /**
     * The target of the calls.
     *
     * @return the decorated part
     */
    RankSnapshots delegate();

    @Override
    default void save(String reader, String name, byte[] order, long lifetimeMillis) {
        delegate().save(reader, name, order, lifetimeMillis);
    }

    @Override
    default Optional<byte[]> load(String reader, String name) {
        return delegate().load(reader, name);
    }

    @Override
    default void forget(Collection<String> readers) {
        delegate().forget(readers);
    }
}
