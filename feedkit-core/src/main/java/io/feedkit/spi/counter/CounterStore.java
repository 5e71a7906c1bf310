package io.feedkit.spi.counter;

import io.feedkit.PublishTransaction;
import java.time.Duration;
import java.util.Optional;

/**
 * Keeps numbers for {@code io.feedkit.unread} and {@code io.feedkit.counter}. It has three primitives: sequences, to
 * which amounts are added; marks, which only rise; and sets of members.
 *
 * <p>Everything belongs to an {@link Owner}, and all data of one owner is kept in one place. A step for one owner is
 * atomic. A batch is not: if it fails in the middle, each of its steps was done or not done. Steps of one batch for the
 * same owner are done in their order. Thread-safe.
 *
 * @since 0.1.0
 */
public interface CounterStore extends CounterReads, CounterWrites {

    /**
     * Says for how long this store keeps a member of a set in {@link Space#VIEWS} at least, after it was put. A store
     * that passes calls to another one must pass this call on. Makes no call to a server.
     *
     * @return how long; empty if such members stay until they are removed
     */
    default Optional<Duration> viewsKept() {
        return Optional.empty();
    }

    /**
     * This store in a transaction of the host. A store that takes part in no transaction refuses it, as this default.
     *
     * @param transaction the host's transaction
     * @return the store for the thread and the duration of the transaction
     * @throws IllegalArgumentException if this store does not take part in a transaction of this kind
     */
    default CounterStore joining(PublishTransaction transaction) {
        throw new IllegalArgumentException("transaction must be one that the counters take part in, but these ("
                + getClass().getSimpleName() + ") take part in none");
    }
}
