package io.feedkit.spi;

import io.feedkit.PublishTransaction;

/**
 * An outbox that can take part in a transaction of the host, so that a post is published if and only if the host's own
 * write commits.
 */
public interface TransactionalOutbox extends Outbox {

    /**
     * A view of this outbox. Its appends and deletes become visible, with their tasks, when the transaction commits,
     * and never if it does not commit. The view does not commit, roll back or close anything. It is used by the thread
     * that owns the transaction.
     *
     * <p>A policy decides while the transaction is open, and may ask about the register and the backlog. The view
     * answers these questions on the transaction's connection, because a thread that holds a connection must not wait
     * for another one. The answers may be as old as the transaction's snapshot. A question locks nothing that others
     * change.
     *
     * @param transaction the host's transaction
     * @return the view; only {@link #append}, {@link #delete}, {@link PulledRegister#update pulled().update()} without
     *     a moment, and {@link FanoutLog#invisibleSince fanout().invisibleSince()} are called on it
     * @throws IllegalArgumentException if the transaction is of another backend, or has ended
     */
    Outbox joining(PublishTransaction transaction);
}
