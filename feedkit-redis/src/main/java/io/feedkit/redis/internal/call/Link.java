package io.feedkit.redis.internal.call;

import io.feedkit.FeedKitException;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Calls to Redis whose failures are FeedKit's, on connections that are there from the start ({@link RedisLink}), or may come later. Thread-safe. */
public interface Link extends AutoCloseable {

    /** Whether the servers are a cluster. */
    boolean isCluster();

    /** Whether the servers could not be reached when this was made. What they held then they may have lost since. */
    boolean isDeferred();

    /**
     * What one call cannot be about together: in a cluster, items that differ in this; on one server, none.
     *
     * @param slotGroup what items have in common whose keys are in one slot
     */
    default <I> ToIntFunction<I> apart(ToIntFunction<I> slotGroup) {
        return isCluster() ? slotGroup : item -> 0;
    }

    /**
     * Asks, and waits for the answer.
     *
     * @throws FeedKitException if there is none
     */
    <T> T run(String operation, Effect effect, Call<T> call);

    /**
     * Asks in this order, and waits for all answers, which are in this order, too. Calls about one key are executed in order; in a cluster one about a slot is on its way
     * at a time, since a slot that moves would mix them up. If one call fails, the others may have been executed or not.
     *
     * @throws FeedKitException if an answer is missing
     */
    <T> List<T> runAll(String operation, Effect effect, List<Call<T>> calls);

    /**
     * Asks each server that takes writes, the one or every master of a cluster, and gives the answers by their addresses.
     *
     * @throws FeedKitException if an answer is missing
     */
    <T> Map<String, T> runOnEach(String operation, Call<T> call);

    /** Ends the connections, and whatever would make some. Idempotent. */
    @Override
    void close();
}
