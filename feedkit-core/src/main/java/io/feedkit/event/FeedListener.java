package io.feedkit.event;

/**
 * Hears what an engine does. All methods do nothing by default.
 *
 * <p>They are called on the thread that did the thing, after it was done, at least once if the host survives (work that is repeated after a crash is
 * told again), and in no order between threads. They must be quick and safe for use by many threads. What they throw is logged and goes no further.
 */
public interface FeedListener {

    /** Hears nothing. */
    FeedListener NONE = new FeedListener() {};

    /**
     * A post was published for the first time. Not told of a publish in a transaction of the host, since it may yet be rolled back, nor by a repeated
     * publish whose first answer was lost.
     *
     * @param event the event
     */
    default void published(PostPublished event) {}

    /**
     * A post was deleted.
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
