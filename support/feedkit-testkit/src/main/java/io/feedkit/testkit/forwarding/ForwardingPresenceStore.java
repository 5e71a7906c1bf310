package io.feedkit.testkit.forwarding;

import io.feedkit.spi.PresenceStore;
import java.util.Collection;
import java.util.List;

/**
 * A presence store that passes every call on. Implement {@link #delegate()} and override the calls that should behave
 * differently: a fault, a count, a delay.
 *
 * @since 0.1.0
 */
public interface ForwardingPresenceStore extends PresenceStore {

    /**
     * The target of the calls.
     *
     * @return the decorated store
     */
    PresenceStore delegate();

    @Override
    default void report(List<Sighting> sightings, long keptMillis) {
        delegate().report(sightings, keptMillis);
    }

    @Override
    default List<Status> status(List<String> readers) {
        return delegate().status(readers);
    }

    @Override
    default long countOnline() {
        return delegate().countOnline();
    }

    @Override
    default OnlinePage online(Seen below, int limit) {
        return delegate().online(below, limit);
    }

    @Override
    default void forget(Collection<String> readers) {
        delegate().forget(readers);
    }
}
