package io.feedkit.testkit.fault;

import io.feedkit.internal.check.Arguments;

/**
 * One call to a store.
 *
 * @param number the number of the call through this store, from 1
 * @param effect the number among the writing calls, from 1; {@code 0} for a call that only reads
 * @param operation the part and its method, such as {@code inbox.deliver}
 * @param size the number of its keys: posts, readers of deliveries, edges, tasks; 1 for a call that is not a batch
 * @since 0.1.0
 */
public record StoreCall(int number, int effect, String operation, int size) {
    /** Refuses null. */
    public StoreCall {
        Arguments.nonNull("operation", operation);
    }

    /**
     * Returns whether the call writes.
     *
     * @return true if the call is an effect
     */
    public boolean isEffect() {
        return effect != 0;
    }
}
