package io.feedkit.redis.internal.call;

import io.feedkit.FeedKitException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Sends calls to Redis, and turns failures into FeedKit's exceptions. The connections exist from the start
 * ({@link RedisLink}), or may be made later. Thread-safe.
 */
public interface Link extends AutoCloseable {

    /** Whether the servers are a cluster. */
    boolean isCluster();

    /** Whether this link was closed. Then every call fails. */
    boolean isClosed();

    /** Whether the servers could not be reached at the start. They may have lost data before they were reached. */
    boolean isDeferred();

    /**
     * Returns the function by which items must be grouped into calls. In a cluster, items of one call must be in one
     * slot. On one server, any items may share a call.
     *
     * @param slotGroup a number that is equal for items whose keys are in one slot
     */
    default <I> ToIntFunction<I> apart(ToIntFunction<I> slotGroup) {
        return isCluster() ? slotGroup : item -> 0;
    }

    /**
     * Sends a call, and waits for the answer.
     *
     * @throws FeedKitException if there is no answer
     */
    <T> T run(String operation, Effect effect, Call<T> call);

    /**
     * Sends calls that change nothing, all at once and in no order. The supplier waits for the answers, and must be
     * used by the same thread.
     *
     * @throws FeedKitException if an answer is missing; this method or the supplier throws it
     */
    <T> Supplier<List<T>> ask(String operation, List<Call<T>> calls);

    /**
     * Sends calls in this order, and waits for all answers, in the same order. Calls about one key are executed in
     * order. In a cluster only one call about a slot is under way at a time, because a slot that moves could reorder
     * two of them. If one call fails, each of the others may have been executed or not.
     *
     * @throws FeedKitException if an answer is missing
     */
    <T> List<T> runAll(String operation, Effect effect, List<Call<T>> calls);

    /**
     * Sends calls as {@link #runAll}, but does not fail if only some answers are missing. Calls to a server that has
     * not answered lately fail without waiting.
     *
     * @return for each call the answer; empty if it is missing: then the call may have been executed or not
     * @throws FeedKitException if all answers are missing
     */
    <T> List<Optional<T>> runReachable(String operation, Effect effect, List<Call<T>> calls);

    /**
     * Sends a call to each server that takes writes: to the one server, or to every master of a cluster. Returns the
     * answers by the servers' addresses.
     *
     * @throws FeedKitException if an answer is missing
     */
    <T> Map<String, T> runOnEach(String operation, Call<T> call);

    /**
     * Walks through the keys of all servers that take writes. A key that exists during the whole walk is passed at
     * least once, and may be passed several times. No connection is held between two answers of a server.
     *
     * @param pattern the pattern of the keys
     * @param some receives some keys at a time, possibly none; returns false to end the walk
     * @throws FeedKitException if an answer is missing
     */
    void scan(String operation, String pattern, Predicate<List<byte[]>> some);

    /** Closes the connections, and ends attempts to connect. Idempotent. */
    @Override
    void close();
}
