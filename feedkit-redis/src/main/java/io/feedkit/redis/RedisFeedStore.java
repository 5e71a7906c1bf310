package io.feedkit.redis;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.graph.RedisFollowGraph;
import io.feedkit.redis.internal.inbox.RedisInbox;
import io.feedkit.redis.internal.layout.Keys;
import io.feedkit.redis.internal.layout.Timer;
import io.feedkit.redis.internal.link.RedisLink;
import io.feedkit.redis.internal.outbox.RedisOutbox;
import io.feedkit.redis.internal.unread.RedisUnreadCounter;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.UnreadCounter;
import io.feedkit.spi.WritableFollowGraph;
import io.lettuce.core.RedisURI;
import java.time.Clock;
import java.util.Optional;

/**
 * Whole feeds in one Redis server, 6.2 or later:
 *
 * <pre>{@code
 * try (RedisFeedStore store = RedisFeedStore.create(RedisURI.create("redis://feeds.internal"));
 *         FeedEngine feed = FeedEngine.builder(store).build()) {
 *     feed.follow("alice", "bob");
 * }
 * }</pre>
 *
 * <p>What is written is as durable as the server makes it: without {@code appendonly yes} a restart loses posts, and with a {@code maxmemory-policy} that evicts keys without an expiry the
 * server throws them away. A host whose truth is elsewhere takes {@link RedisInboxes}, which the server may lose.
 *
 * <p>It has its own client with two connections, whose threads are Lettuce's; nothing else is started. Immutable and thread-safe.
 */
public final class RedisFeedStore implements FeedStore, AutoCloseable {

    private final RedisLink link;
    private final String prefix;
    private final Optional<Clock> clock;
    private final Outbox outbox;
    private final WritableFollowGraph graph;
    private final UnreadCounter unread;

    RedisFeedStore(RedisLink link, String prefix, Optional<Clock> clock) {
        Keys keys = new Keys(prefix);
        Timer timer = new Timer(clock);
        this.link = link;
        this.prefix = prefix;
        this.clock = clock;
        outbox = new RedisOutbox(link, keys, timer);
        graph = new RedisFollowGraph(link, keys, timer);
        unread = new RedisUnreadCounter(link, keys, timer);
    }

    /**
     * A store with default settings.
     *
     * @param uri the server's address
     * @return the store
     * @throws StoreUnavailableException as {@link Builder#build()}
     */
    public static RedisFeedStore create(RedisURI uri) {
        return builder(uri).build();
    }

    /**
     * Begins to set a store up.
     *
     * @param uri the server's address, with the credentials, the database and the encryption that it needs; its time-out is not used
     * @return a builder
     */
    public static Builder builder(RedisURI uri) {
        return new Builder(uri);
    }

    @Override
    public Outbox outbox() {
        return outbox;
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        return new RedisInbox(link, prefix, clock, RedisSettings.nonNull("limits", limits));
    }

    @Override
    public WritableFollowGraph graph() {
        return graph;
    }

    @Override
    public UnreadCounter unread() {
        return unread;
    }

    /** Ends the connections, and the threads unless they are the host's. Engines on this store are closed first. Idempotent. */
    @Override
    public void close() {
        link.close();
    }

    /**
     * Settings of a store. Each may be set once. Not thread-safe.
     *
     * <p>Every method throws {@link IllegalArgumentException} if the value is null or out of range, and {@link IllegalStateException} if the setting was set before.
     */
    public static final class Builder extends RedisSettings<Builder> {

        private Builder(RedisURI uri) {
            super(uri);
        }

        /**
         * Connects to the server.
         *
         * @return the store
         * @throws StoreUnavailableException if the server does not answer
         */
        public RedisFeedStore build() {
            return new RedisFeedStore(open(), prefix(), clock());
        }

        @Override
        Builder self() {
            return this;
        }
    }
}
