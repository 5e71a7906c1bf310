package io.feedkit.testkit.forwarding;

import io.feedkit.live.LiveBus;

/**
 * A bus that passes every call on. Implement {@link #delegate()} and override the calls that should behave differently:
 * a fault, a count, a delay.
 *
 * @since 0.1.0
 */
public interface ForwardingLiveBus extends LiveBus {

    /**
     * The target of the calls.
     *
     * @return the decorated bus
     */
    LiveBus delegate();

    @Override
    default void send(String message) {
        delegate().send(message);
    }

    @Override
    default Registration listen(Listener listener) {
        return delegate().listen(listener);
    }
}
