package io.feedkit.testkit;

import io.feedkit.live.LiveBus;
import io.feedkit.memory.InMemoryLiveBus;
import java.time.Duration;

/** Outages, closing and other processes are tested with {@code broken.BusBench}: a bus in memory knows none of them. */
class InMemoryLiveBusCompatibilityTest extends LiveBusCompatibilityKit {

    private final LiveBus bus = InMemoryLiveBus.create();
    private final LiveBus separate = InMemoryLiveBus.create();

    @Override
    protected LiveBus bus() {
        return bus;
    }

    @Override
    protected LiveBus separateBus() {
        return separate;
    }

    @Override
    protected Duration quietTime() {
        return Duration.ofMillis(20);
    }
}
