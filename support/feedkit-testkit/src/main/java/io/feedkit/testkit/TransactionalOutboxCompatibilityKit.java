package io.feedkit.testkit;

import io.feedkit.PublishTransaction;
import io.feedkit.internal.check.Arguments;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.internal.outbox.OutboxHeardRules;
import io.feedkit.testkit.internal.outbox.OutboxOwnPostRules;
import io.feedkit.testkit.internal.outbox.OutboxTransactionRules;
import io.feedkit.testkit.internal.outbox.TransactionalKit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link TransactionalOutbox} as tests, in addition to the tests of {@link OutboxCompatibilityKit}.
 *
 * @since 0.1.0
 */
public abstract class TransactionalOutboxCompatibilityKit extends OutboxCompatibilityKit {

    /** For leaf tests. */
    protected TransactionalOutboxCompatibilityKit() {}

    /**
     * A transaction of a host. Only the host can end it.
     *
     * @param handle the transaction as the backend wraps it, to be passed to FeedKit
     * @param commit commits it
     * @param rollback rolls it back
     */
    public record HostTransaction(PublishTransaction handle, Runnable commit, Runnable rollback) {
        /** Refuses null. */
        public HostTransaction {
            Arguments.nonNull("commit", commit);
            Arguments.nonNull("handle", handle);
            Arguments.nonNull("rollback", rollback);
        }
    }

    @Override
    protected abstract TransactionalOutbox outbox();

    /**
     * Begins a transaction that the outbox under test can join.
     *
     * @return a new transaction, used by the calling thread
     */
    protected abstract HostTransaction begin();

    /** This kit as its rules see it. */
    private final class View extends KitView implements TransactionalKit {
        View() {
            super(TransactionalOutboxCompatibilityKit.this);
        }

        @Override
        public TransactionalOutbox outbox() {
            return TransactionalOutboxCompatibilityKit.this.outbox();
        }

        @Override
        public OpenTransaction begin() {
            HostTransaction begun = TransactionalOutboxCompatibilityKit.this.begin();
            return new OpenTransaction(begun.handle(), begun.commit(), begun.rollback());
        }
    }

    @Nested
    @DisplayName("Transactions")
    class Transactions extends OutboxTransactionRules {
        Transactions() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Own posts of transactions")
    class OwnPosts extends OutboxOwnPostRules {
        OwnPosts() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Listener notifications of transactions")
    class Heard extends OutboxHeardRules {
        Heard() {
            super(new View());
        }
    }
}
