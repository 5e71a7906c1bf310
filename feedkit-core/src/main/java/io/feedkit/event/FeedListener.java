package io.feedkit.event;

import io.feedkit.Beta;
import io.feedkit.fanout.QueueTraffic;
import io.feedkit.verify.VerifyReport;

/**
 * Receives the events of an engine. All methods do nothing by default.
 *
 * <p>A method, except for {@link #started}, is called after the event, on the thread that caused it. If the host
 * survives, it is called at least once: work that is repeated after a crash is reported again. There is no order
 * between threads. The methods must be quick, and safe for use by many threads. Exceptions of a method are logged and
 * otherwise ignored. An engine may have any number of listeners, and calls all of them for each event.
 *
 * @since 0.1.0
 */
public interface FeedListener {

    /** A listener that does nothing. */
    FeedListener NONE = new FeedListener() {};

    /**
     * A post was published for the first time. A publish in a transaction of the host is reported after the commit,
     * when a worker or a drain of the engine finds the post in the store. It is not reported if the engine ends before
     * that, or does not find the post within an hour. The engine looks for at most 10,000 such changes; older ones are
     * not reported. A repeated publish whose first answer was lost is not reported either.
     *
     * @param event the event
     */
    default void published(PostPublished event) {}

    /**
     * A post was deleted. A delete in a transaction of the host is reported after the commit, under the conditions of
     * {@link #published}.
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
     * A part of the cards of a page failed or was late, and the page has its fallback.
     *
     * @param event the event
     */
    default void cardPartFailed(CardPartFailed event) {}

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
     * Deliveries may have been lost, and are repeated.
     *
     * @param event the event
     */
    default void deliveryLossSuspected(DeliveryLossSuspected event) {}

    /**
     * The engine has used its fan-out queue: its relay has sent messages, its workers have received some, or the queue
     * was found blocked or open again. The numbers are those of this event, not totals.
     *
     * @param event the event
     */
    default void queueTraffic(QueueTraffic event) {}

    /**
     * A batch of old posts was moved to the archive, or a step of the move failed.
     *
     * @param event the event
     */
    @Beta
    default void archived(ArchiveStep event) {}

    /**
     * A copy of an inbox was made or used, or could not be.
     *
     * @param event the event
     */
    @Beta
    default void copied(CopyStep event) {}

    /**
     * A {@link io.feedkit.FeedEngine#verify} of this engine has ended, or was stopped. A run that throws has no event.
     *
     * @param report what was compared, found and repaired
     */
    @Beta
    default void verified(VerifyReport report) {}

    /**
     * A reader began to follow an author, or unfollowed the author.
     *
     * @param event the event
     */
    default void followChanged(FollowChanged event) {}

    /**
     * An operation begins. The engine calls what this returns when the operation ends, on the same thread. In between,
     * the thread calls the store, the host's callbacks, and this listener with the events of the operation. So a trace
     * may open its scope here, and close it at the end. Operations may be nested. If there are several listeners, their
     * ends are called in the reverse order.
     *
     * @param event the event
     * @return what to call at the end; not null. {@link OperationEnd#NONE} by default
     */
    @Beta
    default OperationEnd started(OperationStarted event) {
        return OperationEnd.NONE;
    }
}
