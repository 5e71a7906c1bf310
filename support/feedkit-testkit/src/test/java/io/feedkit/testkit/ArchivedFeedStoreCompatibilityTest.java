package io.feedkit.testkit;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPostArchive;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.internal.outbox.MovedOutbox;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("memory")
@DisplayName("Feeds whose posts move to an archive between any two calls")
class ArchivedFeedStoreCompatibilityTest extends FeedStoreCompatibilityKit {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final FeedStore store = store(clock);

    /** A store in memory whose posts move. */
    static FeedStore store(SettableClock clock) {
        InMemoryFeedStore store = InMemoryFeedStore.create(clock);
        return FeedStore.of(
                MovedOutbox.over(store.outbox(), InMemoryPostArchive.create(), clock, MovedOutbox.Mover.BOTH),
                store::inbox,
                store.graph(),
                store.seenMarks());
    }

    @Override
    protected FeedStore store() {
        return store;
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
