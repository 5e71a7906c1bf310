package io.feedkit.redis.internal.outbox;

import io.feedkit.redis.internal.layout.Keys;
import io.feedkit.redis.internal.layout.Timer;
import io.feedkit.redis.internal.link.RedisLink;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Empty outboxes on the shared server, under a prefix of their own, with a clock that tests set. */
public final class TestTruth implements AutoCloseable {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final RedisLink link;
    private final Keys keys;
    private final RedisOutbox outbox;

    public TestTruth() {
        link = RedisLink.open(
                RedisURI.create(RedisServer.shared().uri()), Optional.of(Shared.RESOURCES), Duration.ofSeconds(5));
        keys = new Keys("truth" + COUNT.incrementAndGet());
        outbox = new RedisOutbox(link, keys, new Timer(Optional.of(clock)));
    }

    /** What tests do to the shared server behind the store's back. */
    public static RedisCommands<String, String> commands() {
        return Shared.COMMANDS;
    }

    public RedisOutbox outbox() {
        return outbox;
    }

    /** Another store of the same data. */
    public RedisOutbox another() {
        return new RedisOutbox(link, keys, new Timer(Optional.of(clock)));
    }

    public SettableClock clock() {
        return clock;
    }

    public String ofAuthor(String kind, String author) {
        return new String(keys.ofAuthor(kind, author), StandardCharsets.US_ASCII);
    }

    public String ofPartition(String kind, int partition) {
        return new String(keys.ofPartition(kind, partition), StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        link.close();
    }

    private static final class Shared {
        static final ClientResources RESOURCES = ClientResources.create();
        static final RedisClient CLIENT = RedisClient.create(
                RESOURCES, RedisURI.create(RedisServer.shared().uri()));
        static final RedisCommands<String, String> COMMANDS = CLIENT.connect().sync();
    }
}
