package io.feedkit.testkit;

import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.counter.CounterStore;
import java.time.Duration;
import java.time.Instant;

class InMemoryCounterStoreCompatibilityTest extends CounterStoreCompatibilityKit {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final CounterStore store = InMemoryCounterStore.create(clock);

    @Override
    protected CounterStore store() {
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
