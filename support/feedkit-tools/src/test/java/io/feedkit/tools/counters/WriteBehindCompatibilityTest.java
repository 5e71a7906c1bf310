package io.feedkit.tools.counters;

import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.testkit.CounterStoreCompatibilityKit;
import io.feedkit.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;

@DisplayName("Counters in SQL behind Redis")
@Timeout(120)
class WriteBehindCompatibilityTest extends CounterStoreCompatibilityKit {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final CountersBehind behind = new CountersBehind(settings -> settings.clock(clock));
    private final WriteBehindCounterStore store = behind.store(behind.sql());

    @AfterEach
    void close() {
        behind.close();
    }

    @Override
    protected CounterStore store() {
        return store;
    }

    @Override
    protected Optional<CounterStore> keepingOperations(Duration operationsKept) {
        return Optional.of(
                behind.store(behind.sql(settings -> settings.clock(clock).operationsKept(operationsKept))));
    }

    @Override
    protected void inTransaction(boolean committed, Consumer<CounterStore> work) {
        behind.inTransaction(store, committed, work);
    }

    @Override
    protected void flush() {
        store.flush();
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
