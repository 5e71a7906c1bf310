package io.feedkit.testkit;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.TransactionalOutboxCompatibilityKit.HostTransaction;
import java.time.Duration;
import java.time.Instant;

class InMemoryArchiveSourceCompatibilityTest extends ArchiveSourceCompatibilityKit {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);

    @Override
    protected TransactionalOutbox outbox() {
        return store.outbox();
    }

    @Override
    protected HostTransaction begin() {
        InMemoryTransaction transaction = store.begin();
        return new HostTransaction(transaction, transaction::commit, transaction::rollback);
    }

    @Override
    protected void pass(Duration duration) {
        clock.advance(duration);
    }

    @Override
    protected long now() {
        return clock.millis();
    }
}
