package io.feedkit.redis;

import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/** Empty inboxes on the shared server, with a clock that tests set, under a prefix of their own. */
final class TestInboxes implements AutoCloseable {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String prefix = "t" + COUNT.incrementAndGet();
    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final RedisInboxes inboxes =
            RedisInboxes.builder(uri()).prefix(prefix).clock(clock).build();

    static RedisURI uri() {
        return RedisURI.create(RedisServer.shared().uri());
    }

    Inbox inbox(InboxLimits limits) {
        return inboxes.inbox(limits);
    }

    SettableClock clock() {
        return clock;
    }

    String prefix() {
        return prefix;
    }

    @Override
    public void close() {
        inboxes.close();
    }
}
