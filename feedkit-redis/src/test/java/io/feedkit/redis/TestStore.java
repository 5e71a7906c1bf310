package io.feedkit.redis;

import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.redis.internal.start.CheckedLink;
import io.feedkit.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An empty store on servers that all tests share, under a prefix of its own, with a clock that tests set. The stores on
 * the same servers share a link, which ends with the JVM.
 */
final class TestStore {

    private static final Map<String, RedisLink> LINKS = new ConcurrentHashMap<>();

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final RedisFeedStore store;

    TestStore(String uri) {
        RedisLink link = LINKS.computeIfAbsent(uri, TestStore::link);
        store = new RedisFeedStore(
                new CheckedLink(link, List.of()), link, "a test", TestInboxes.newPrefix(), Optional.of(clock));
    }

    private static RedisLink link(String uri) {
        return RedisLink.open(Servers.of(uri), Optional.of(TestInboxes.resources()), Duration.ofSeconds(20));
    }

    RedisFeedStore store() {
        return store;
    }

    SettableClock clock() {
        return clock;
    }
}
