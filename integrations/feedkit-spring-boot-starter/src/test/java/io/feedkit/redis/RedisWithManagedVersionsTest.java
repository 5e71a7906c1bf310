package io.feedkit.redis;

import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.redis.internal.start.CheckedLink;
import io.feedkit.spi.FeedStore;
import io.feedkit.testkit.FeedStoreCompatibilityKit;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

@Tag("matrix")
@DisplayName("A store on Redis, with the versions that Spring Boot manages")
class RedisWithManagedVersionsTest extends FeedStoreCompatibilityKit {

    private static final AtomicInteger PREFIXES = new AtomicInteger();
    private static RedisLink link;

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final RedisFeedStore store = new RedisFeedStore(
            new CheckedLink(link, List.of()),
            link,
            "a test",
            "managed" + PREFIXES.incrementAndGet(),
            Optional.of(clock));

    @BeforeAll
    static void connect() {
        link = RedisLink.open(Servers.of(RedisServer.shared().uri()), Optional.empty(), Duration.ofSeconds(20));
    }

    @AfterAll
    static void disconnect() {
        link.close();
    }

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

    /** The stores' own modules repeat races more often. */
    @Override
    protected int rounds() {
        return 5;
    }
}
