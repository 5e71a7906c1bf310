package io.feedkit.redis;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.redis.internal.graph.RedisFollowGraph;
import io.feedkit.redis.internal.inbox.RedisInbox;
import io.feedkit.redis.internal.outbox.RedisOutbox;
import io.feedkit.redis.internal.seen.RedisSeenMarks;
import io.feedkit.redis.internal.start.CheckedLink;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.WritableFollowGraph;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whole feeds in Redis 6.2 or later, or Valkey: one server, a master that sentinels watch, or a cluster:
 *
 * <pre>{@code
 * try (RedisFeedStore store = RedisFeedStore.create("redis://feeds.internal");
 *         FeedEngine feed = FeedEngine.builder(store).build()) {
 *     feed.follow("alice", "bob");
 * }
 * }</pre>
 *
 * <p>What is written is as durable as the server makes it: without {@code appendonly yes} a restart loses posts, and with a {@code maxmemory-policy} that evicts keys without an expiry the
 * server throws them away. Replication is asynchronous, so a failover loses the last writes, unless {@link Builder#replicas} is set. A host whose truth is elsewhere takes {@link RedisInboxes}, which the server may lose.
 *
 * <p>There are three connections (to each master of a cluster; seven with {@link Builder#replicas}), of a client of its own or of the host's, whose threads are Lettuce's; nothing else is started. Immutable and thread-safe.
 */
public final class RedisFeedStore implements FeedStore, AutoCloseable {

    /** How many replicas have what was written before that is acknowledged: none, since most servers have none, and nobody should wait who did not ask for it. */
    public static final int DEFAULT_REPLICAS = 0;

    private static final int MOST_REPLICAS = 100;

    private final RedisLink link;
    private final RedisLink truth;
    private final String prefix;
    private final Optional<Clock> clock;
    private final List<String> warnings;
    private final RedisOutbox outbox;
    private final Outbox outboxForFollowers;
    private final WritableFollowGraph graph;
    private final SeenMarks seenMarks;

    RedisFeedStore(CheckedLink checked, RedisLink truth, String prefix, Optional<Clock> clock) {
        Keys keys = new Keys(prefix);
        ScriptClock timer = new ScriptClock(clock);
        this.link = checked.link();
        this.truth = truth;
        this.warnings = checked.warnings();
        this.prefix = prefix;
        this.clock = clock;
        outbox = new RedisOutbox(link, truth, keys, timer);
        outboxForFollowers = outbox.forFollowers();
        graph = new RedisFollowGraph(truth, keys, timer);
        seenMarks = new RedisSeenMarks(truth, keys, timer);
    }

    /**
     * A store with default settings.
     *
     * @param uri where Redis is, as for {@link #builder(String)}
     * @return the store
     * @throws IllegalArgumentException as {@link #builder(String)}
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisFeedStore create(String uri) {
        return builder(uri).build();
    }

    /**
     * A store with default settings.
     *
     * @param uri the server's address, or that of its sentinels
     * @return the store
     * @throws IllegalArgumentException as {@link #builder(RedisURI)}
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisFeedStore create(RedisURI uri) {
        return builder(uri).build();
    }

    /**
     * A store with default settings on a client of the host's, which is not closed with it.
     *
     * @param client the client, as for {@link #builder(RedisClient)}
     * @return the store
     * @throws IllegalArgumentException as {@link #builder(RedisClient)}
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisFeedStore create(RedisClient client) {
        return builder(client).build();
    }

    /**
     * A store with default settings on a client of the host's, which is not closed with it.
     *
     * @param client the client, as for {@link #builder(RedisClusterClient)}
     * @return the store
     * @throws IllegalArgumentException as {@link #builder(RedisClusterClient)}
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisFeedStore create(RedisClusterClient client) {
        return builder(client).build();
    }

    /**
     * Begins to set a store up.
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
     * Begins to set a store up.
     *
     * @param uri the address of the server, or of its sentinels, with the credentials, the database and the encryption that it needs; its time-out is not used
     * @return a builder
     * @throws IllegalArgumentException if it is null, or has sentinels but no name of a master
     */
    public static Builder builder(RedisURI uri) {
        return new Builder(Servers.of(RedisSettings.nonNull("uri", uri)));
    }

    /**
     * Begins to set a store up on a client of the host's, which is not closed with it.
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
     * Begins to set a store up on a client of the host's, which is not closed with it.
     *
     * @param client a client with options as for {@link #builder(RedisClient)}, and topology refresh options that notice a failover: a periodic refresh, or the trigger
     *     {@code PERSISTENT_RECONNECTS} (which is on by default)
     * @return a builder
     * @throws IllegalArgumentException if it is null, or its options are others; the message says which
     */
    public static Builder builder(RedisClusterClient client) {
        return new Builder(Servers.of(RedisSettings.nonNull("client", client)));
    }

    @Override
    public Outbox outbox() {
        return outbox;
    }

    /** {@inheritDoc} On one server, or behind sentinels, pushes to nobody have no task; a cluster may have an author's followers on another server than the posts. */
    @Override
    public Outbox outboxForFollowers() {
        return outboxForFollowers;
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
    public SeenMarks seenMarks() {
        return seenMarks;
    }

    /**
     * What was found at start about the servers that should be changed, or could not be found out; it was logged as well.
     *
     * @return for each a sentence with the reason, what to do, and the servers; empty if all is well
     */
    public List<String> warnings() {
        return warnings;
    }

    /** Ends the connections, and client and threads unless they are the host's. Engines on this store are closed first. Idempotent. */
    @Override
    public void close() {
        truth.close();
    }

    /**
     * Settings of a store. Each may be set once. Not thread-safe.
     *
     * <p>Every method throws {@link IllegalArgumentException} if the value is null or out of range, and {@link IllegalStateException} if the setting was set before.
     */
    public static final class Builder extends RedisSettings<Builder> {

        private int replicas = DEFAULT_REPLICAS;

        private Builder(Servers servers) {
            super(servers);
        }

        /**
         * Says how many replicas of a server must have a post, a delete, a follow, an unfollow or a mark before that is acknowledged. If they do not have it in three quarters of the time-out,
         * the call fails with {@link io.feedkit.OutcomeUnknownException}: it was written, and may be repeated. Inboxes and what workers note of their tasks are acknowledged without it, for
         * they are made again.
         *
         * @param replicas 0 to 100; {@link RedisFeedStore#DEFAULT_REPLICAS} by default. With more than 0 there are four more connections (to each master of a cluster)
         * @return this builder
         */
        public Builder replicas(int replicas) {
            if (replicas < 0 || replicas > MOST_REPLICAS) {
                throw new IllegalArgumentException(
                        "replicas must be between 0 and " + MOST_REPLICAS + ", but is " + replicas);
            }
            this.replicas = once("replicas", replicas);
            return this;
        }

        /**
         * Connects, and checks what answers.
         *
         * @return the store
         * @throws StoreUnavailableException if there is no answer, or the cluster is not ready
         * @throws UnusableServerException if what answers is not a Redis that can be used
         * @throws FormatVersionException if what is under the prefix is in another format
         */
        public RedisFeedStore build() {
            CheckedLink checked = attempt(Set.of(FormatComponent.INBOX, FormatComponent.SOURCE_OF_TRUTH))
                    .get();
            try {
                return new RedisFeedStore(checked, checked.link().replicated(replicas), prefix(), clock());
            } catch (Throwable e) {
                checked.link().close();
                throw e;
            }
        }

        @Override
        Builder self() {
            return this;
        }
    }
}
