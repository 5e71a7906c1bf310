package io.feedkit.live;

import io.feedkit.Beta;

/**
 * Carries messages between the engines of a deployment, for live feeds. Every listener receives every message, also
 * those of its own engine. A bus need not be reliable: it may lose, repeat or reorder messages, and may fall silent.
 * Engines number their messages, send one a second at least, and read from the store what a message may have missed.
 * So only the speed of live feeds depends on the bus.
 *
 * <p>The bus belongs to the host, who closes it after its engines. One bus may serve several engines. Implementations
 * are thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public interface LiveBus {

    /** The most characters of a message; they are ASCII characters from U+000A to U+007F. */
    int MAX_MESSAGE = 7000;

    /** Receives messages. */
    interface Listener {

        /**
         * A message arrived. Called on a thread of the bus, possibly on several at once. The call returns soon, and
         * does not throw.
         *
         * @param message the message
         */
        void received(String message);
    }

    /** A registration, until it is closed. */
    @FunctionalInterface
    interface Registration extends AutoCloseable {

        /** Ends the registration. A message may still arrive afterwards. Idempotent; does not throw. */
        @Override
        void close();
    }

    /**
     * Sends a message to all listeners, in all processes. Each engine calls this on one thread. The call may wait for
     * the backend, for a bounded time.
     *
     * @param message 1 to {@value #MAX_MESSAGE} characters
     * @throws io.feedkit.StoreUnavailableException if the backend cannot be reached; the message may have been sent
     */
    void send(String message);

    /**
     * Registers a listener. The call neither waits for the backend nor fails if the backend cannot be reached: the bus
     * keeps trying.
     *
     * @param listener the listener
     * @return the registration
     */
    Registration listen(Listener listener);
}
