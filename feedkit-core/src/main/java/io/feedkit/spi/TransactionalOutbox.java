package io.feedkit.spi;

import io.feedkit.PublishTransaction;
import java.util.Collection;
import java.util.Set;

/**
 * An outbox that can take part in a transaction of the host, so that a post is published if and only if the host's own
 * write commits.
 *
 * <p>A policy decides while the transaction is open, and may ask about the register and the backlog. These queries name
 * the transaction, and use its connection, because a thread that holds one connection must not wait for another. The
 * answers may be as old as the transaction's snapshot. The queries lock nothing that others change.
 *
 * <p>Every method is called by the thread that owns the transaction, and throws {@link IllegalArgumentException} if the
 * transaction is of another backend, or has ended.
 *
 * @since 0.1.0
 */
public interface TransactionalOutbox extends Outbox {

    /**
     * Whether {@link #joining} takes transactions of a type. Hosts that find transactions by themselves ask before they
     * pass one.
     *
     * @param type the type of the transactions
     * @return true by default
     */
    default boolean canJoin(Class<? extends PublishTransaction> type) {
        return true;
    }

    /**
     * A view of this outbox whose appends and deletes become visible, with their tasks, when the transaction commits,
     * and never if it does not. It does not commit, roll back or close anything.
     *
     * @param transaction the host's transaction
     * @return the view, to be used by the thread that owns the transaction
     */
    OutboxWriter joining(PublishTransaction transaction);

    /**
     * Returns which authors have posts that were not pushed, as {@link #pulled()} does.
     *
     * @param transaction the host's transaction
     * @param authors the authors
     * @return the authors that have an entry in the register
     */
    Set<String> pulledAmong(PublishTransaction transaction, Collection<String> authors);

    /**
     * Returns since when a post has been waiting to show, as {@link FanoutLog#invisibleSince fanout().invisibleSince()}
     * does.
     *
     * @param transaction the host's transaction
     * @return milliseconds since the epoch, or 0 if no post waits
     */
    long invisibleSince(PublishTransaction transaction);
}
