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
     * Runs tasks on the calling thread until none is due, and waits for the tasks that this engine's own workers hold.
     * It leaves out tasks that are not due (after a failure, or because their rate is limited), and tasks that are
     * leased to other engines. It also works while the engine is paused. With a fan-out queue it also waits for tasks
     * that are lent to the queue, by any engine, for at most the time of a loan.
     *
     * @return how many tasks the calling thread finished
     * @throws IllegalStateException if a worker of this engine calls it, for example in a listener, because the worker
     *     would wait for itself
     */
    int drain();

    /**
     * The state of the queue that all engines on this store share. Meant for operators: a store may take a tenth of a
     * second to count many tasks.
     *
     * @return the backlog
     */
    Backlog backlog();

    /**
     * Pauses this engine's workers after their present rounds. Publishing goes on, and the backlog grows. Idempotent.
     */
    void pause();

    /** Ends a pause of this engine's workers. Idempotent. */
    void resume();

    /**
     * Lists tasks that failed too often. Their posts are not lost: meanwhile, readers get the posts from the outboxes.
     *
     * @param after list dead letters after this id; {@code ""} for the beginning
     * @param limit the most to return, 1 to 1000
     * @return dead letters in the order of their ids
     * @throws IllegalArgumentException if {@code after} is neither empty nor an id, or the limit is out of range
     */
    List<DeadLetter> deadLetters(String after, int limit);

    /**
     * Puts dead letters back into the queue.
     *
     * @param ids the ids of dead letters; other ids are ignored
     * @return how many dead letters were put back
     * @throws IllegalArgumentException if a value is not a legal id
     */
    int replay(Collection<String> ids);

    /**
     * Repeats finished tasks, and unfinished tasks from their beginning. Use it if inboxes may have lost deliveries,
     * for example in a failover of a cache. Only tasks within the replay horizon are still known. Delivery is
     * idempotent, so this changes nothing in inboxes that lost nothing.
     *
     * @param finishedWithin how long ago a task may have finished
     * @return how many finished tasks were put back into the queue
     * @throws IllegalArgumentException if the duration is null or negative
     */
    int replayFinished(Duration finishedWithin);
}
