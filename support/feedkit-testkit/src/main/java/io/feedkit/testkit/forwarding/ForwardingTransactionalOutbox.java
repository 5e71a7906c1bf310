package io.feedkit.testkit.forwarding;

import io.feedkit.PublishTransaction;
import io.feedkit.spi.OutboxWriter;
import io.feedkit.spi.TransactionalOutbox;
import java.util.Collection;
import java.util.Set;

/**
 * An outbox with transactions that passes every call on. Implement {@link #delegate()} and override the calls that
 * should behave differently: a fault, a count, a delay. {@link #joining} hands out the delegate's own view.
 *
 * @since 0.1.0
 */
public interface ForwardingTransactionalOutbox extends ForwardingOutbox, TransactionalOutbox {

    /**
     * The target of the calls.
     *
     * @return the decorated part
     */
    @Override
    TransactionalOutbox delegate();

    @Override
    default boolean canJoin(Class<? extends PublishTransaction> type) {
        return delegate().canJoin(type);
    }

    @Override
    default OutboxWriter joining(PublishTransaction transaction) {
        return delegate().joining(transaction);
    }

    @Override
    default Set<String> pulledAmong(PublishTransaction transaction, Collection<String> authors) {
        return delegate().pulledAmong(transaction, authors);
    }

    @Override
    default long invisibleSince(PublishTransaction transaction) {
        return delegate().invisibleSince(transaction);
    }
}
