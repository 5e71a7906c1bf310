package io.feedkit.testkit.fault;

/**
 * One call to a store.
 *
 * @param number which call through this store it is, from 1
 * @param effect which writing call it is, from 1; {@code 0} for a call that only reads
 * @param operation the part and its method, such as {@code inbox.deliver}
 * @param size how many keys it is about: posts, readers of deliveries, edges, tasks; 1 for a call that is no batch
 */
public record StoreCall(int number, int effect, String operation, int size) {

    /**
     * Says whether the call writes.
     *
     * @return true if so
     */
    public boolean isEffect() {
        return effect != 0;
    }
}
