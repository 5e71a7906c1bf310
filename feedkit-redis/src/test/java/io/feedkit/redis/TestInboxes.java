package io.feedkit.redis;

import io.feedkit.Post;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Outcome;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Empty inboxes on the shared server or another one, under a prefix of their own, with a clock that tests set. */
final class TestInboxes implements AutoCloseable {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String prefix = newPrefix();
    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final RedisInboxes inboxes;

    TestInboxes() {
        this(RedisServer.shared().uri());
    }

    TestInboxes(String uri) {
        inboxes = RedisInboxes.builder(RedisServers.at(uri))
                .prefix(prefix)
                .clock(clock)
                .build();
    }

    static RedisURI uri() {
        return RedisURI.create(RedisServer.shared().uri());
    }

    static String newPrefix() {
        return "t" + COUNT.incrementAndGet();
    }

    /** Commands that bypass the inboxes, on the shared server. */
    static RedisCommands<String, String> commands() {
        return Shared.COMMANDS;
    }

    /** The threads of the client behind {@link #commands()}. */
    static ClientResources resources() {
        return Shared.CLIENT.getResources();
    }

    Inbox inbox(InboxLimits limits) {
        return inboxes.inbox(limits);
    }

    SettableClock clock() {
        return clock;
    }

    String inboxKey(String reader) {
        return key("inbox", reader);
    }

    String pendingFollowsKey(String reader) {
        return key("notes", reader);
    }

    private String key(String kind, String reader) {
        return new String(new Keys(prefix).ofUser(kind, reader), StandardCharsets.US_ASCII);
    }

    /** Makes an empty live inbox, and returns its generation. */
    static long live(Inbox inbox, String reader) {
        long generation = inbox.open(reader, 60_000, true).generation();
        inbox.complete(reader, generation, 1, 0);
        return generation;
    }

    static Outcome deliver(Inbox inbox, String reader, Post post) {
        return inbox.deliver(List.of(new Delivery(post, List.of(reader), 0)))
                .get(0)
                .get(0);
    }

    static Slice slice(Inbox inbox, String reader, boolean renew) {
        return inbox.slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 10_000, renew)))
                .get(0);
    }

    @Override
    public void close() {
        inboxes.close();
    }

    private static final class Shared {
        static final RedisClient CLIENT = RedisClient.create(uri());
        static final RedisCommands<String, String> COMMANDS = CLIENT.connect().sync();
    }
}
