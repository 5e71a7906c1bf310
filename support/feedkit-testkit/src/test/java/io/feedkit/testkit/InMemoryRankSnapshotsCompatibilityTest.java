package io.feedkit.testkit;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.RankSnapshots;
import java.time.Duration;
import java.time.Instant;

class InMemoryRankSnapshotsCompatibilityTest extends RankSnapshotsCompatibilityKit {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);

    @Override
    protected RankSnapshots rankSnapshots() {
        return store.rankSnapshots().orElseThrow();
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
