package io.feedkit.redis;

import io.feedkit.spi.counter.CounterStore;
import io.feedkit.testkit.CounterStoreCompatibilityKit;
import io.feedkit.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnTopologies
class RedisCounterStoreCompatibilityTest extends CounterStoreCompatibilityKit {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final List<RedisCounterStore> stores = new ArrayList<>();
    private final String uri;
    private final String prefix = TestInboxes.newPrefix();
    private final RedisCounterStore store;

    RedisCounterStoreCompatibilityTest(Topology topology) {
        uri = topology.uri().get();
        store = open(RedisCounterStore.DEFAULT_OPERATIONS_KEPT);
    }

    private RedisCounterStore open(Duration operationsKept) {
        RedisCounterStore opened = RedisCounterStore.builder(RedisServers.at(uri))
                .prefix(prefix)
                .clock(clock)
                .resources(TestInboxes.resources())
                .timeout(Duration.ofSeconds(20))
                .operationsKept(operationsKept)
                .build();
        stores.add(opened);
        return opened;
    }

    @AfterEach
    void close() {
        stores.forEach(RedisCounterStore::close);
    }

    @Override
    protected Optional<CounterStore> keepingOperations(Duration operationsKept) {
        return Optional.of(open(operationsKept));
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
