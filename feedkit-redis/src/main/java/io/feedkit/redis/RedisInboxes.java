package io.feedkit.redis;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.inbox.RedisInbox;
import io.feedkit.redis.internal.link.RedisLink;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.lettuce.core.RedisURI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Inboxes in one Redis server, 6.2 or later. The truth is kept elsewhere:
 *
 * <pre>{@code
 * RedisInboxes inboxes = RedisInboxes.create(RedisURI.create("redis://cache.internal"));
 * FeedStore store = FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.unread());
 * }</pre>
 *
 * <p>The server may lose or evict any of it: an inbox of which a part is missing is absent, and is rebuilt. It has its own client with two connections, whose
 * threads are Lettuce's; nothing else is started. Immutable and thread-safe.
 */
public final class RedisInboxes implements AutoCloseable {

    /** What the names of keys begin with. */
    public static final String DEFAULT_PREFIX = "feedkit";

    /** The longest an answer is waited for: a thousand times what a slow one takes, and short enough for a reader to be served from the outboxes instead. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    private final RedisLink link;
    private final String prefix;
    private final Optional<Clock> clock;

    private RedisInboxes(RedisLink link, String prefix, Optional<Clock> clock) {
        this.link = link;
        this.prefix = prefix;
        this.clock = clock;
    }

    /**
     * Inboxes with default settings.
     *
     * @param uri the server's address
     * @return the inboxes
     * @throws StoreUnavailableException as {@link Builder#build()}
     */
    public static RedisInboxes create(RedisURI uri) {
        return builder(uri).build();
    }

    /**
     * Begins to set inboxes up.
     *
     * @param uri the server's address, with the credentials, the database and the encryption that it needs; its time-out is not used
     * @return a builder
     */
    public static Builder builder(RedisURI uri) {
        return new Builder(uri);
    }

    /**
     * Gives a view of the inboxes, for a store that is composed of parts.
     *
     * @param limits the cap and the live window that this view applies in everything it does
     * @return the view
     */
    public Inbox inbox(InboxLimits limits) {
        return new RedisInbox(link, prefix, clock, RedisSettings.nonNull("limits", limits));
    }

    /** Ends the connections, and the threads unless they are the host's. Engines on these inboxes are closed first. Idempotent. */
    @Override
    public void close() {
        link.close();
    }

    /**
     * Settings of inboxes. Each may be set once. Not thread-safe.
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
         * @return the inboxes
         * @throws StoreUnavailableException if the server does not answer
         */
        public RedisInboxes build() {
            return new RedisInboxes(open(), prefix(), clock());
        }

        @Override
        Builder self() {
            return this;
        }
    }
}
