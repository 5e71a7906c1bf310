package io.feedkit.redis;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.redis.internal.inbox.RedisInbox;
import io.feedkit.redis.internal.start.CheckedLink;
import io.feedkit.redis.internal.start.DeferredLink;
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
import java.util.function.Supplier;

/**
 * Inboxes in Redis 6.2 or later, or Valkey: one server, a master that sentinels watch, or a cluster. The truth is kept elsewhere:
 *
 * <pre>{@code
 * RedisInboxes inboxes = RedisInboxes.create("redis://cache.internal");
 * FeedStore store = FeedStore.of(sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks());
 * }</pre>
 *
 * <p>The server may lose or evict any of it: an inbox of which a part is missing is absent, and is rebuilt. There are three connections (to each master of a cluster), of a client of its own or of the
 * host's, whose threads are Lettuce's; nothing else is started, but for a thread that connects after a {@linkplain Builder#startWithoutServer start without the server}. Thread-safe.
 */
public final class RedisInboxes implements AutoCloseable {

    /** What the names of keys begin with. */
    public static final String DEFAULT_PREFIX = "feedkit";

    /** The longest an answer is waited for: a thousand times what a slow one takes, and short enough for a reader to be told that it failed. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /** Whether inboxes are given although the server cannot be reached: no, since a wrong address is best found at start. */
    public static final boolean DEFAULT_START_WITHOUT_SERVER = false;

    private final Link link;
    private final String prefix;
    private final Optional<Clock> clock;
    private final Supplier<List<String>> warnings;

    private RedisInboxes(Link link, Supplier<List<String>> warnings, String prefix, Optional<Clock> clock) {
        this.link = link;
        this.warnings = warnings;
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
     * @return for each a sentence with the reason, what to do, and the servers; empty if all is well, and until the servers are reached without which this started
     */
    public List<String> warnings() {
        return warnings.get();
    }

    /**
     * Ends the connections, and client and threads unless they are the host's. Engines on these inboxes are closed first. Idempotent.
     *
     * <p>Inboxes that are still connecting ({@link Builder#startWithoutServer}) give up, and their thread has ended when this returns. A connection that a client of the host's is just making may then come to be, and stays with that client.
     */
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

        private boolean startWithoutServer = DEFAULT_START_WITHOUT_SERVER;

        private Builder(Servers servers) {
            super(servers);
        }

        /**
         * Says whether {@link #build()} also gives inboxes when the server cannot be reached, so that a host starts without them.
         *
         * <p>They connect when they can: a thread tries it again and again, after pauses that grow to two seconds. Until then every call fails at once with {@link StoreUnavailableException}, which may be retried and
         * says what the last attempt said. So publishes and deletes of an engine succeed whose posts are elsewhere, and their tasks wait; reads, follows and unfollows fail. What is checked at
         * start is then checked: as long as the server is one that {@link #build()} refuses, nothing is written there, calls go on to fail with {@link StoreUnavailableException}, among whose causes is what {@link #build()} would
         * have thrown ({@link UnusableServerException}, {@link FormatVersionException}), and a warning is logged. When the server is put right, the inboxes connect.
         *
         * <p>When the server answers at last, it counts as one that may have lost what it held ({@link Inbox#trustedSince}): what was delivered lately is delivered again.
         *
         * @param startWithoutServer {@link RedisInboxes#DEFAULT_START_WITHOUT_SERVER} by default
         * @return this builder
         */
        public Builder startWithoutServer(boolean startWithoutServer) {
            this.startWithoutServer = once("startWithoutServer", startWithoutServer);
            return this;
        }

        /**
         * Connects, and checks what answers. This waits for one attempt to connect, also with {@link #startWithoutServer}.
         *
         * @return the inboxes
         * @throws StoreUnavailableException if there is no answer, or the cluster is not ready; with {@link #startWithoutServer} only if the caller was interrupted
         * @throws UnusableServerException if what answers is not a Redis that can be used
         * @throws FormatVersionException if what is under the prefix is in another format
         */
        public RedisInboxes build() {
            Supplier<CheckedLink> attempt = attempt(Set.of(FormatComponent.INBOX));
            try {
                CheckedLink checked = attempt.get();
                return new RedisInboxes(checked.link(), checked::warnings, prefix(), clock());
            } catch (StoreUnavailableException e) {
                if (!startWithoutServer || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                DeferredLink late =
                        DeferredLink.start(servers(), attempt, prefix(), clock().orElseGet(Clock::systemUTC), e);
                return new RedisInboxes(late, late::warnings, prefix(), clock());
            }
        }

        @Override
        Builder self() {
            return this;
        }
    }
}
