package io.feedkit.testkit;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPostArchive;
import io.feedkit.memory.InMemoryTransaction;
import io.feedkit.spi.PostArchive;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.internal.outbox.MovedOutbox;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An outbox and its archive, seen as one outbox, while a mover works between any two calls, or dies after its copies.
 */
@ParameterizedClass
@EnumSource(MovedOutbox.Mover.class)
@DisplayName("An outbox with an archive")
class ArchivedOutboxCompatibilityTest extends EventRecordingOutboxCompatibilityKit {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);
    private final PostArchive archive = InMemoryPostArchive.create();
    private final TransactionalOutbox outbox;

    ArchivedOutboxCompatibilityTest(MovedOutbox.Mover mover) {
        outbox = MovedOutbox.over(store.outbox(), archive, clock, mover);
    }

    @Override
    protected TransactionalOutbox outbox() {
        return outbox;
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
