package io.feedkit.testkit.internal.interleaving;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.internal.feed.FeedStoreKit;
import io.feedkit.testkit.internal.feed.Policy;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Walks during which the same engine does something else, at every call: what the engine remembers between calls does
 * not depend on the store.
 */
class OneEngineWalksTest extends InterruptedWalks {

    OneEngineWalksTest() {
        super(new InMemory());
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("walksWithoutBuilding")
    @DisplayName(
            "a walk shows what was there at its beginning exactly once, whatever the same engine does at whatever call")
    void downwardsOnOneEngine(Policy policy, Event event) {
        onOneEngine(policy, event, InterruptedWalks::down);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("walksWithoutBuilding")
    @DisplayName("catching up misses nothing that was there, whatever the same engine does at whatever call")
    void upwardsOnOneEngine(Policy policy, Event event) {
        onOneEngine(policy, event, up());
    }

    private static final class InMemory implements FeedStoreKit {

        private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
        private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);

        @Override
        public FeedStore store() {
            return store;
        }

        @Override
        public void pass(Duration duration) {
            clock.advance(duration);
        }

        @Override
        public long now() {
            return clock.millis();
        }

        @Override
        public Duration shortTime() {
            return Duration.ofSeconds(10);
        }

        @Override
        public Duration longTime() {
            return Duration.ofDays(400);
        }

        @Override
        public boolean waits() {
            return false;
        }

        @Override
        public int threads() {
            return 4;
        }

        @Override
        public int rounds() {
            return 25;
        }
    }
}
