package io.feedkit.spi;

import io.feedkit.PublishTransaction;

/** An outbox that can take part in a transaction of the host, so that a post is published exactly if the host's own write commits. */
public interface TransactionalOutbox extends Outbox {

    /**
     * A view of this outbox whose appends and deletes become visible, with their tasks, when the transaction commits, and never if it does
     * not. It does not commit, roll back or close anything. The view is used by the thread that owns the transaction.
     *
     * @param transaction the host's transaction
     * @return the view; only {@link #append} and {@link #delete} are called on it
     * @throws IllegalArgumentException if the transaction is of another backend, or is over
     */
    Outbox joining(PublishTransaction transaction);
}
