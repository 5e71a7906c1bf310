package io.feedkit.redis;

import io.feedkit.spi.counter.CounterStore;
import io.feedkit.testkit.CounterStoreCompatibilityKit;
import io.feedkit.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnTopologies
class RedisCounterStoreCompatibilityTest extends CounterStoreCompatibilityKit {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final RedisCounterStore store;

    RedisCounterStoreCompatibilityTest(Topology topology) {
        store = RedisCounterStore.builder(RedisServers.at(topology.uri().get()))
                .prefix(TestInboxes.newPrefix())
                .clock(clock)
                .resources(TestInboxes.resources())
                .timeout(Duration.ofSeconds(20))
                .build();
    }

    @AfterEach
    void close() {
        store.close();
    }

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
