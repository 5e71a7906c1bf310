package io.feedkit.testkit;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;

@Tag("memory")
class InMemoryFeedStoreCompatibilityTest extends FeedStoreCompatibilityKit {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);

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
