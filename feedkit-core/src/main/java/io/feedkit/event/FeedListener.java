package io.feedkit.event;

/**
 * Hears what an engine does. All methods do nothing by default.
 *
 * <p>They are called on the thread that did the thing, after it was done, at least once if the host survives (work that
 * is repeated after a crash is told again), and in no order between threads. They must be quick and safe for use by
 * many threads. What they throw is logged and goes no further.
 */
public interface FeedListener {

    /** Hears nothing. */
    FeedListener NONE = new FeedListener() {};

    /**
     * A post was published for the first time. Of a publish in a transaction of the host it is told after the commit,
     * when a worker or a drain of the engine finds the post there; an engine that ends before does not tell, nor one
     * that did not find it within an hour, or had more than 10,000 such changes to look for. Not told of a repeated
     * publish whose first answer was lost.
     *
     * @param event the event
     */
    default void published(PostPublished event) {}

    /**
     * A post was deleted. Of a delete in a transaction of the host it is told after the commit, as of a publish.
     *
     * @param event the event
     */
    default void deleted(PostDeleted event) {}

    /**
     * A post was delivered to some of its readers.
     *
     * @param event the event
     */
    default void delivered(PostDelivered event) {}

    /**
     * A fan-out task is done.
     *
     * @param event the event
     */
    default void taskFinished(TaskFinished event) {}

    /**
     * A fan-out task failed.
     *
     * @param event the event
     */
    default void taskFailed(TaskFailed event) {}

    /**
     * A page of a feed was read.
     *
     * @param event the event
     */
    default void read(FeedRead event) {}

    /**
     * An inbox was built from the outboxes.
     *
     * @param event the event
     */
    default void rebuilt(InboxRebuilt event) {}

    /**
     * An inbox was compared with the outboxes.
     *
     * @param event the event
     */
    default void refreshed(InboxRefreshed event) {}

    /**
     * Deliveries may have been lost, and are made again.
     *
     * @param event the event
     */
    default void doubted(DeliveriesDoubted event) {}

    /**
     * A reader follows an author, or does not any more.
     *
     * @param event the event
     */
    default void followChanged(FollowChanged event) {}
}
