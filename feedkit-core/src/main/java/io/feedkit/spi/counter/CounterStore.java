package io.feedkit.spi.counter;

import io.feedkit.PublishTransaction;
import java.time.Duration;
import java.util.Optional;

/**
 * Keeps numbers for {@code io.feedkit.unread} and {@code io.feedkit.counter}. It has three primitives: sequences, to
 * which amounts are added; marks, which only rise; and sets of members.
 *
 * <p>Everything belongs to an {@link Owner}, and all data of one owner is kept in one place. A step for one owner is
 * atomic. A batch is not atomic: if it fails in the middle, each of its steps was either done or not done. Steps of one
 * batch for the same owner are done in their order. Thread-safe.
 *
 * @since 0.1.0
 */
public interface CounterStore extends CounterReads, CounterWrites {

    /**
     * Returns for how long, at least, this store keeps a member of a set in {@link Space#VIEWS} after it was put. A
     * store that passes calls to another one must pass this call on. Makes no call to a server.
     *
     * @return how long; empty if such members stay until they are removed
     */
    default Optional<Duration> viewsKept() {
        return Optional.empty();
    }

    /**
     * This store in a transaction of the host. A store that cannot join transactions refuses it, like this default.
     *
     * @param transaction the host's transaction
     * @return the store for the thread and the duration of the transaction
     * @throws IllegalArgumentException if this store cannot join a transaction of this kind
     */
    default CounterStore joining(PublishTransaction transaction) {
        throw new IllegalArgumentException("transaction must be one that the counters can join, but "
                + getClass().getSimpleName() + " cannot join transactions");
    }
}
