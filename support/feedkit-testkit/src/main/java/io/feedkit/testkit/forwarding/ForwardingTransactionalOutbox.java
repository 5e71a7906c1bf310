package io.feedkit.testkit.forwarding;

import io.feedkit.PublishTransaction;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.TransactionalOutbox;

/**
 * An outbox with transactions that passes every call on. Implement {@link #delegate()} and override the calls that
 * should behave differently: a fault, a count, a delay. {@link #joining} hands out the delegate's own view.
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
    default Outbox joining(PublishTransaction transaction) {
        return delegate().joining(transaction);
    }
}
