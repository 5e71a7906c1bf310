package io.feedkit.redis;

import io.feedkit.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;

/** An empty store on the shared server, under a prefix of its own, with a clock that tests set. */
final class TestStore implements AutoCloseable {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final RedisFeedStore store;

    TestStore(String uri) {
        store = RedisFeedStore.builder(uri)
                .prefix(TestInboxes.newPrefix())
                .clock(clock)
                .timeout(Duration.ofSeconds(20))
                .resources(TestInboxes.resources())
                .build();
    }

    RedisFeedStore store() {
        return store;
    }

    SettableClock clock() {
        return clock;
    }

    @Override
    public void close() {
        store.close();
    }
}
