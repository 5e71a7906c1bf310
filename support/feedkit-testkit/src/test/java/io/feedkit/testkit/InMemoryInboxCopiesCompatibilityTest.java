package io.feedkit.testkit;

import io.feedkit.memory.InMemoryInboxCopies;
import io.feedkit.spi.InboxCopies;
import java.time.Duration;
import java.time.Instant;

class InMemoryInboxCopiesCompatibilityTest extends InboxCopiesCompatibilityKit {

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final InboxCopies copies = InMemoryInboxCopies.create(clock);

    @Override
    protected InboxCopies copies() {
        return copies;
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
