package io.feedkit.testkit.internal.outbox;

import io.feedkit.PublishTransaction;
import io.feedkit.spi.TransactionalOutbox;

/** The kit of a transactional outbox as its rules see it. */
public interface TransactionalKit extends OutboxKit {

    @Override
    TransactionalOutbox outbox();

    OpenTransaction begin();

    /** A transaction of a host, and the two ways to end it. */
    record OpenTransaction(PublishTransaction handle, Runnable commit, Runnable rollback) {}
}
