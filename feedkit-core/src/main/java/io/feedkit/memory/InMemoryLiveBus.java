package io.feedkit.memory;

import io.feedkit.Beta;
import io.feedkit.internal.check.Arguments;
import io.feedkit.live.LiveBus;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A bus between engines of one process. It calls the listeners on the sender's thread. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class InMemoryLiveBus implements LiveBus {

    private final List<Registered> listeners = new CopyOnWriteArrayList<>();

    /** One registration; the same listener may be registered several times. */
    private static final class Registered {
        private final Listener listener;

        Registered(Listener listener) {
            this.listener = listener;
        }
    }

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
        Arguments.nonNull("message", message);
        listeners.forEach(registered -> registered.listener.received(message));
    }

    @Override
    public Registration listen(Listener listener) {
        Registered registered = new Registered(Arguments.nonNull("listener", listener));
        listeners.add(registered);
        return () -> listeners.remove(registered);
    }

    @Override
    public String toString() {
        return "InMemoryLiveBus[listeners " + listeners.size() + "]";
    }
}
