package io.feedkit.fanout;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * The fan-out of one engine, for operators and for tests. Safe for use by many threads.
 *
 * <p>Every method but {@link #pause} and {@link #resume} may throw {@link io.feedkit.StoreUnavailableException}, and
 * {@link io.feedkit.EngineClosedException} after the engine was closed.
 *
 * @since 0.1.0
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
     * Pauses this engine's workers after their present rounds. Publishing continues, and the backlog grows. Idempotent.
     */
    void pause();

    /** Ends a pause of this engine's workers. Idempotent. */
    void resume();

    /**
     * Lists tasks that failed too often, from the first one. Their posts are not lost: meanwhile, readers get the posts
     * from the outboxes.
     *
     * @param limit the most to return, 1 to 1000
     * @return dead letters in the order of their ids
     * @throws io.feedkit.InvalidRequestException if the limit is out of range
     */
    List<DeadLetter> deadLetters(int limit);

    /**
     * Lists further tasks that failed too often.
     *
     * @param after the id of the last dead letter of the list before
     * @param limit the most to return, 1 to 1000
     * @return dead letters in the order of their ids
     * @throws io.feedkit.InvalidRequestException if {@code after} is not an id, or the limit is out of range
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
     * Discards dead letters, so that they cannot be replayed any more. Discarding a dead letter again changes nothing,
     * and a task that was replayed meanwhile is not discarded.
     *
     * <p>The post stays, but its fan-out ends. The readers' view depends on the kind of the task:
     *
     * <ul>
     *   <li>A {@linkplain TaskKind#PUSH push}, an active push, an import or a pull: readers get the posts from the
     *       outbox, because their author is in the pulled register. A later catch-up of the author delivers them, too.
     *       An inbox that is rebuilt, or compared with the outboxes, gets them at the latest then.
     *   <li>A catch-up: the author stays in the pulled register. The author's next push that succeeds starts another
     *       catch-up.
     *   <li>A retraction: the deleted post stays hidden, but also stays in inboxes until they are compared with the
     *       outboxes, and in the pulled register for good. So replay retractions if possible.
     * </ul>
     *
     * @param ids the ids of dead letters; other ids are ignored
     * @return how many dead letters were discarded
     * @throws IllegalArgumentException if a value is not a legal id
     * @throws UnsupportedOperationException if the store cannot discard tasks
     */
    int discard(Collection<String> ids);

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

    /**
     * Makes all inboxes suspect, for all engines on this store, as a suspected loss of deliveries does. Engines notice
     * it within about a second, and refresh each inbox at the next first-page read of its reader. Use it after the
     * source of truth was restored from a backup, because inboxes may hold posts that it has lost, and lack posts that
     * it has again. Finished tasks within the replay horizon, and all unfinished tasks, are restarted.
     */
    void distrustInboxes();
}
