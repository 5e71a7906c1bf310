package io.feedkit.redis;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.check.Part;
import io.feedkit.redis.internal.inbox.RedisInbox;
import io.feedkit.redis.internal.link.RedisLink;
import io.feedkit.redis.internal.link.Servers;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Inboxes in Redis 6.2 or later, or Valkey: one server, a master that sentinels watch, or a cluster. The truth is kept elsewhere:
 *
 * <pre>{@code
 * RedisInboxes inboxes = RedisInboxes.create("redis://cache.internal");
 * FeedStore store = FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks());
 * }</pre>
 *
 * <p>The server may lose or evict any of it: an inbox of which a part is missing is absent, and is rebuilt. There are three connections (to each master of a cluster), of a client of its own or of the
 * host's, whose threads are Lettuce's; nothing else is started. Immutable and thread-safe.
 */
public final class RedisInboxes implements AutoCloseable {

    /** What the names of keys begin with. */
    public static final String DEFAULT_PREFIX = "feedkit";

    /** The longest an answer is waited for: a thousand times what a slow one takes, and short enough for a reader to be served from the outboxes instead. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    private final RedisLink link;
    private final String prefix;
    private final Optional<Clock> clock;
    private final List<String> warnings;

    private RedisInboxes(CheckedLink checked, String prefix, Optional<Clock> clock) {
        this.link = checked.link();
        this.warnings = checked.warnings();
        this.prefix = prefix;
        this.clock = clock;
    }

    /**
     * Inboxes with default settings.
     *
     * @param uri where Redis is, as for {@link #builder(String)}
     * @return the inboxes
     * @throws IllegalArgumentException as {@link #builder(String)}
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisInboxes create(String uri) {
        return builder(uri).build();
    }

    /**
     * Inboxes with default settings.
     *
     * @param uri the server's address, or that of its sentinels
     * @return the inboxes
     * @throws IllegalArgumentException as {@link #builder(RedisURI)}
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisInboxes create(RedisURI uri) {
        return builder(uri).build();
    }

    /**
     * Inboxes with default settings on a client of the host's, which is not closed with them.
     *
     * @param client the client, as for {@link #builder(RedisClient)}
     * @return the inboxes
     * @throws IllegalArgumentException as {@link #builder(RedisClient)}
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisInboxes create(RedisClient client) {
        return builder(client).build();
    }

    /**
     * Inboxes with default settings on a client of the host's, which is not closed with them.
     *
     * @param client the client, as for {@link #builder(RedisClusterClient)}
     * @return the inboxes
     * @throws IllegalArgumentException as {@link #builder(RedisClusterClient)}
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisInboxes create(RedisClusterClient client) {
        return builder(client).build();
    }

    /**
     * Begins to set inboxes up.
     *
     * @param uri where Redis is: {@code redis://host:port/database}, {@code redis-sentinel://host:port,host:port#name} with sentinels and the name that they have for the master, or
     *     {@code redis-cluster://host:port,host:port} with some members of a cluster; with {@code rediss} for TLS, and {@code user:password@} before the hosts if needed
     * @return a builder
     * @throws IllegalArgumentException if it is null, or not such an address; the message does not show the password
     */
    public static Builder builder(String uri) {
        return new Builder(Servers.of(RedisSettings.nonNull("uri", uri)));
    }

    /**
     * Begins to set inboxes up.
     *
     * @param uri the address of the server, or of its sentinels, with the credentials, the database and the encryption that it needs; its time-out is not used
     * @return a builder
     * @throws IllegalArgumentException if it is null, or has sentinels but no name of a master
     */
    public static Builder builder(RedisURI uri) {
        return new Builder(Servers.of(RedisSettings.nonNull("uri", uri)));
    }

    /**
     * Begins to set inboxes up on a client of the host's, which is not closed with them.
     *
     * @param client a client that was made with an address of a server or of sentinels. Its options have {@code disconnectedBehavior(REJECT_COMMANDS)}, {@code replayFilter(command -> true)} and {@code autoReconnect(true)}:
     *     by default Lettuce sends a command whose answer is missing again, and what was done since would be undone
     * @return a builder
     * @throws IllegalArgumentException if it is null, or its options are others; the message says which
     */
    public static Builder builder(RedisClient client) {
        return new Builder(Servers.of(RedisSettings.nonNull("client", client)));
    }

    /**
     * Begins to set inboxes up on a client of the host's, which is not closed with them.
     *
     * @param client a client with options as for {@link #builder(RedisClient)}, and topology refresh options that notice a failover: a periodic refresh, or the trigger
     *     {@code PERSISTENT_RECONNECTS} (which is on by default)
     * @return a builder
     * @throws IllegalArgumentException if it is null, or its options are others; the message says which
     */
    public static Builder builder(RedisClusterClient client) {
        return new Builder(Servers.of(RedisSettings.nonNull("client", client)));
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

    /**
     * What was found at start about the servers that should be changed, or could not be found out; it was logged as well.
     *
     * @return for each a sentence with the reason, what to do, and the servers; empty if all is well
     */
    public List<String> warnings() {
        return warnings;
    }

    /** Ends the connections, and client and threads unless they are the host's. Engines on these inboxes are closed first. Idempotent. */
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

        private Builder(Servers servers) {
            super(servers);
        }

        /**
         * Connects, and checks what answers.
         *
         * @return the inboxes
         * @throws StoreUnavailableException if there is no answer, or the cluster is not ready
         * @throws UnusableServerException if what answers is not a Redis that can be used
         * @throws FormatVersionException if what is under the prefix is in another format
         */
        public RedisInboxes build() {
            return new RedisInboxes(open(Set.of(Part.INBOX)), prefix(), clock());
        }

        @Override
        Builder self() {
            return this;
        }
    }
}
