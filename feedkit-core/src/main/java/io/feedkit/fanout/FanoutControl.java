package io.feedkit.fanout;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * The fan-out of one engine, for operators and for tests. Safe for use by many threads.
 *
 * <p>Every method but {@link #pause} and {@link #resume} may throw {@link io.feedkit.StoreUnavailableException}, and
 * {@link io.feedkit.EngineClosedException} after the engine was closed.
 */
public interface FanoutControl {

    /**
     * Runs tasks on the calling thread until none is due, and waits for those that this engine's own workers are at.
     * Tasks that are not due (after a failure, or because their rate is limited) and tasks leased to other engines are
     * left alone. Works while paused.
     *
     * @return how many tasks the calling thread finished
     * @throws IllegalStateException if a worker of this engine calls it, in a listener say: it would wait for itself
     */
    int drain();

    /**
     * The state of the queue that all engines on this store share. For operators: to count many tasks may take a store
     * a tenth of a second.
     *
     * @return the backlog
     */
    Backlog backlog();

    /**
     * Lets this engine's workers finish their rounds and then rest. Publishing goes on, and the backlog grows.
     * Idempotent.
     */
    void pause();

    /** Lets this engine's workers work again. Idempotent. */
    void resume();

    /**
     * Lists tasks that failed too often. Their posts are not lost: their authors are read from the outboxes meanwhile.
     *
     * @param after list those after this one; {@code ""} for the beginning
     * @param limit the most to return, 1 to 1000
     * @return dead letters in the order of their ids
     * @throws IllegalArgumentException if {@code after} is neither empty nor an id, or the limit is out of range
     */
    List<DeadLetter> deadLetters(String after, int limit);

    /**
     * Puts dead letters back into the queue.
     *
     * @param ids their ids; others are ignored
     * @return how many there were
     * @throws IllegalArgumentException if one cannot be an id
     */
    int replay(Collection<String> ids);

    /**
     * Does finished tasks again, because inboxes may have lost what they delivered (a failed-over cache, say). Only
     * tasks within the replay horizon are still known. Delivery is idempotent, so this changes nothing where nothing
     * was lost.
     *
     * @param finishedWithin how far back
     * @return how many tasks were put back into the queue
     * @throws IllegalArgumentException if the duration is null or negative
     */
    int replayFinished(Duration finishedWithin);
}
