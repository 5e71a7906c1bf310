package io.feedkit.tools.parts;

import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.FeedStoreCompatibilityKit;
import io.feedkit.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/**
 * All interleavings run on each of the two backends. Here they would take minutes more, for the same calls in the same
 * order.
 */
@Tag("sampled")
@DisplayName("Feeds with inboxes in Redis over PostgreSQL")
class RedisOverSqlCompatibilityTest extends FeedStoreCompatibilityKit {

    @AutoClose
    private static final RedisOverSql PARTS = new RedisOverSql();

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final FeedStore store = PARTS.empty(clock);

    @Override
    protected FeedStore store() {
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
