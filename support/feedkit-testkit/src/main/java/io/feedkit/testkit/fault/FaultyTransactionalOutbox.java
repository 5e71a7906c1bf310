package io.feedkit.testkit.fault;

import io.feedkit.PublishTransaction;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.TransactionalOutbox;

/** Outboxes over a connection, which can join transactions; what is done in a transaction is not counted. */
final class FaultyTransactionalOutbox extends FaultyOutbox implements TransactionalOutbox {

    private final TransactionalOutbox delegate;
    private final Connection connection;

    FaultyTransactionalOutbox(TransactionalOutbox delegate, Connection connection) {
        super(delegate, connection);
        this.delegate = delegate;
        this.connection = connection;
    }

    @Override
    public Outbox joining(PublishTransaction transaction) {
        return connection.read("outbox.joining", () -> delegate.joining(transaction));
    }
}
