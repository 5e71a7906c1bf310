package io.feedkit.testkit;

import io.feedkit.memory.InMemoryPresenceStore;
import io.feedkit.spi.PresenceStore;
import java.time.Duration;
import java.time.Instant;

class InMemoryPresenceStoreCompatibilityTest extends PresenceStoreCompatibilityKit {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final PresenceStore presence = InMemoryPresenceStore.create(clock);

    @Override
    protected PresenceStore presence() {
        return presence;
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
