package io.feedkit.memory;

import io.feedkit.Beta;
import io.feedkit.internal.bus.BusListeners;
import io.feedkit.live.LiveBus;

/**
 * A bus between engines of one process. It calls the listeners on the sender's thread. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class InMemoryLiveBus implements LiveBus {

    private final BusListeners listeners = new BusListeners();

    private InMemoryLiveBus() {}

    /**
     * Creates a bus without listeners.
     *
     * @return the bus
     */
    public static InMemoryLiveBus create() {
        return new InMemoryLiveBus();
    }

    @Override
    public void send(String message) {
        listeners.receive(BusListeners.requireMessage(message));
    }

    @Override
    public Registration listen(Listener listener) {
        return listeners.add(listener);
    }

    @Override
    public String toString() {
        return "InMemoryLiveBus[listeners " + listeners.size() + "]";
    }
}
