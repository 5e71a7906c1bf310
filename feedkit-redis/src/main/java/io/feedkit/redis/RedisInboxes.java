package io.feedkit.redis;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.inbox.RedisInbox;
import io.feedkit.redis.internal.link.RedisLink;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

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
        return new Builder(Builder.nonNull("uri", uri));
    }

    /**
     * Gives a view of the inboxes, for a store that is composed of parts.
     *
     * @param limits the cap and the live window that this view applies in everything it does
     * @return the view
     */
    public Inbox inbox(InboxLimits limits) {
        return new RedisInbox(link, prefix, clock, Builder.nonNull("limits", limits));
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
    public static final class Builder {

        private static final int LONGEST_PREFIX = 30;
        private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);
        private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

        private final RedisURI uri;
        private final Set<String> given = new HashSet<>();
        private String prefix = DEFAULT_PREFIX;
        private Duration timeout = DEFAULT_TIMEOUT;
        private Optional<Clock> clock = Optional.empty();
        private Optional<ClientResources> resources = Optional.empty();

        private Builder(RedisURI uri) {
            this.uri = uri;
        }

        /**
         * Says what the names of the keys begin with. Inboxes with different prefixes do not see each other.
         *
         * @param prefix 1 to 30 characters a-z, A-Z, 0-9, {@code _}, {@code -} and {@code .}; {@link #DEFAULT_PREFIX} by default
         * @return this builder
         */
        public Builder prefix(String prefix) {
            if (!nonNull("prefix", prefix).matches("[a-zA-Z0-9_.-]{1," + LONGEST_PREFIX + "}")) {
                throw new IllegalArgumentException("prefix must be 1 to " + LONGEST_PREFIX
                        + " characters a-z, A-Z, 0-9, _, - and ., but is \"" + prefix + "\"");
            }
            this.prefix = once("prefix", prefix);
            return this;
        }

        /**
         * Bounds how long an answer, and a connection, is waited for.
         *
         * @param timeout 10 milliseconds to a day; {@link #DEFAULT_TIMEOUT} by default
         * @return this builder
         */
        public Builder timeout(Duration timeout) {
            if (nonNull("timeout", timeout).compareTo(SHORTEST_TIMEOUT) < 0 || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
                throw new IllegalArgumentException("timeout must be between " + SHORTEST_TIMEOUT + " and "
                        + LONGEST_TIMEOUT + ", but is " + timeout);
            }
            this.timeout = once("timeout", timeout);
            return this;
        }

        /**
         * Sets the clock that measures leases and live windows, for tests. All that share the keys need the same one. The server then keeps what is over until somebody
         * looks at it.
         *
         * @param clock the clock; by default the server's own
         * @return this builder
         */
        public Builder clock(Clock clock) {
            this.clock = Optional.of(once("clock", nonNull("clock", clock)));
            return this;
        }

        /**
         * Shares threads with other clients of the host's.
         *
         * @param resources Lettuce's threads, which are not ended with the inboxes; by default ones of their own
         * @return this builder
         */
        public Builder resources(ClientResources resources) {
            this.resources = Optional.of(once("resources", nonNull("resources", resources)));
            return this;
        }

        /**
         * Connects to the server.
         *
         * @return the inboxes
         * @throws StoreUnavailableException if the server does not answer
         */
        public RedisInboxes build() {
            return new RedisInboxes(RedisLink.open(uri, resources, timeout), prefix, clock);
        }

        private <T> T once(String setting, T value) {
            if (!given.add(setting)) {
                throw new IllegalStateException(setting + " was set before");
            }
            return value;
        }

        private static <T> T nonNull(String setting, T value) {
            if (value == null) {
                throw new IllegalArgumentException(setting + " must not be null");
            }
            return value;
        }
    }
}
