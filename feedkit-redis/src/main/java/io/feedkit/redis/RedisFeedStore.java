package io.feedkit.redis;

import io.feedkit.Beta;
import io.feedkit.StoreUnavailableException;
import io.feedkit.health.StoreDescription;
import io.feedkit.health.StoreDescription.Data;
import io.feedkit.internal.check.Arguments;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.check.Identities;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.redis.internal.graph.RedisFollowGraph;
import io.feedkit.redis.internal.inbox.RedisInbox;
import io.feedkit.redis.internal.outbox.RedisOutbox;
import io.feedkit.redis.internal.presence.RedisPresenceStore;
import io.feedkit.redis.internal.rank.RedisRankSnapshots;
import io.feedkit.redis.internal.seen.RedisSeenMarks;
import io.feedkit.redis.internal.start.CheckedLink;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.WritableFollowGraph;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Whole feeds in Redis 6.2 or later, or Valkey: on one server, on a master that sentinels watch, or in a cluster.
 *
 * <pre>{@code
 * try (RedisFeedStore store = RedisFeedStore.create(RedisServers.at("redis://feeds.internal"));
 *         FeedEngine feed = FeedEngine.builder(store).build()) {
 *     feed.follow("alice", "bob");
 * }
 * }</pre>
 *
 * <p>A write is as durable as the server makes it. Without {@code appendonly yes} a restart loses posts. With a
 * {@code maxmemory-policy} that evicts keys without an expiry, the server may evict posts. Replication is asynchronous,
 * so a failover loses the last writes, unless {@link Builder#replicas} is set. If another store is the source of truth,
 * use {@link RedisInboxes}: the server may lose inboxes.
 *
 * <p>The store has three connections (to each master of a cluster), and seven with {@link Builder#replicas}. They
 * belong to the store's own Lettuce client, or to the host's. The threads are Lettuce's; the store starts no others.
 * Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class RedisFeedStore implements FeedStore, AutoCloseable {

    /** How many replicas must have a write before it is acknowledged: none, because most servers have no replicas. */
    public static final int DEFAULT_REPLICAS = 0;

    private static final int MOST_REPLICAS = 100;

    private final RedisLink link;
    private final RedisLink acknowledgedLink;
    private final String place;
    private final String prefix;
    private final Optional<Clock> clock;
    private final List<String> warnings;
    private final RedisOutbox outbox;
    private final Outbox outboxForFollowers;
    private final WritableFollowGraph graph;
    private final SeenMarks seenMarks;
    private final RankSnapshots rankSnapshots;

    RedisFeedStore(
            CheckedLink checked, RedisLink acknowledgedLink, String place, String prefix, Optional<Clock> clock) {
        this.place = place;
        Keys keys = new Keys(prefix);
        ScriptClock scriptClock = new ScriptClock(clock);
        this.link = checked.link();
        this.acknowledgedLink = acknowledgedLink;
        this.warnings = checked.warnings();
        this.prefix = prefix;
        this.clock = clock;
        outbox = new RedisOutbox(link, acknowledgedLink, keys, scriptClock);
        outboxForFollowers = outbox.forFollowers();
        graph = new RedisFollowGraph(acknowledgedLink, keys, scriptClock);
        seenMarks = new RedisSeenMarks(acknowledgedLink, keys, scriptClock);
        rankSnapshots = new RedisRankSnapshots(link, keys, scriptClock);
    }

    /**
     * Connects a store with default settings.
     *
     * @param servers where Redis is
     * @return the store
     * @throws IllegalArgumentException if it is null
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisFeedStore create(RedisServers servers) {
        return builder(servers).build();
    }

    /**
     * Returns a builder of a store.
     *
     * @param servers where Redis is
     * @return a builder
     * @throws IllegalArgumentException if it is null
     */
    public static Builder builder(RedisServers servers) {
        return new Builder(servers);
    }

    @Override
    public Outbox outbox() {
        return outbox;
    }

    /**
     * {@inheritDoc}
     *
     * <p>On one server, or behind sentinels, a push by an author without followers has no task. In a cluster it has
     * one, because the author's followers may be on another server than the posts.
     */
    @Override
    public Outbox outboxForFollowers() {
        return outboxForFollowers;
    }

    @Override
    public Inbox inbox(InboxLimits limits) {
        return new RedisInbox(
                link,
                prefix,
                clock,
                Arguments.nonNull("limits", limits),
                identity -> identity.equals(outbox.identity()));
    }

    @Override
    public WritableFollowGraph graph() {
        return graph;
    }

    @Override
    public SeenMarks seenMarks() {
        return seenMarks;
    }

    @Override
    public Optional<RankSnapshots> rankSnapshots() {
        return Optional.of(rankSnapshots);
    }

    /**
     * Returns presence on the same servers, for {@link
     * io.feedkit.FeedEngineBuilder#presence(io.feedkit.spi.PresenceStore)}. Like inboxes, presence may be lost or
     * evicted: connected readers are online again after an interval of their engines.
     *
     * @return the presence of all engines with this prefix
     */
    @Beta
    public PresenceStore presence() {
        return new RedisPresenceStore(link, new Keys(prefix), new ScriptClock(clock));
    }

    /**
     * Returns the warnings of the check at start: settings of the servers that should be changed, or that could not be
     * checked. They were logged as well.
     *
     * @return a sentence for each warning, with the reason, what to do, and the servers; empty if there are none
     */
    public List<String> warnings() {
        return warnings;
    }

    /**
     * Closes the connections, and the client and its threads unless they are the host's. Close the engines on this
     * store first. Idempotent.
     */
    @Override
    public void close() {
        acknowledgedLink.close();
    }

    @Override
    public List<StoreDescription> describe() {
        return List.of(new StoreDescription(
                EnumSet.range(Data.POSTS, Data.INBOXES),
                place,
                "as durable as the servers' settings make it",
                warnings));
    }

    @Override
    public String toString() {
        return "RedisFeedStore[" + prefix + "]";
    }

    /**
     * Settings of a store. Each may be set once. Not thread-safe.
     *
     * <p>Every method throws {@link IllegalArgumentException} if the value is null or out of range, and
     * {@link IllegalStateException} if the setting was set before.
     */
    public static final class Builder extends RedisSettings<Builder> {

        private int replicas = DEFAULT_REPLICAS;

        private Builder(RedisServers servers) {
            super(servers);
        }

        /**
         * Sets how many replicas of a server must have a post, a delete, a follow, an unfollow or a mark before it is
         * acknowledged. If fewer have it within three quarters of the time-out, the call fails with
         * {@link io.feedkit.OutcomeUnknownException}: the change was written, and the caller may repeat the call.
         * Inboxes, the progress of tasks and the orders of ranked feeds are acknowledged without replicas, because the
         * engine can do without them.
         *
         * @param replicas 0 to 100; {@link RedisFeedStore#DEFAULT_REPLICAS} by default. More than 0 means four more
         *     connections (to each master of a cluster)
         * @return this builder
         */
        public Builder replicas(int replicas) {
            this.replicas = once("replicas", Arguments.between("replicas", replicas, 0, MOST_REPLICAS));
            return this;
        }

        /**
         * Connects, and checks the servers.
         *
         * @return the store
         * @throws StoreUnavailableException if there is no answer, or the cluster is not ready
         * @throws UnusableServerException if the server is not a Redis that FeedKit can use
         * @throws FormatVersionException if the keys under the prefix are in another format
         */
        public RedisFeedStore build() {
            CheckedLink checked = attempt(FormatComponent.INBOX, FormatComponent.SOURCE_OF_TRUTH)
                    .get();
            try {
                return new RedisFeedStore(checked, checked.link().replicated(replicas), place(), prefix(), clock());
            } catch (Throwable e) {
                checked.link().close();
                throw e;
            }
        }

        /**
         * Gives the source of truth under the prefix, and the inboxes that belong to it, a new identity. Call this if
         * the data were copied from another server, while no process uses them. The call connects and checks the
         * servers as {@link #build()} does, and closes the connections.
         *
         * @return the new identity
         * @throws StoreUnavailableException as {@link #build()}
         * @throws UnusableServerException as {@link #build()}
         * @throws FormatVersionException as {@link #build()}
         */
        public String newIdentity() {
            CheckedLink checked = attempt(FormatComponent.INBOX, FormatComponent.SOURCE_OF_TRUTH)
                    .get();
            try (RedisLink link = checked.link()) {
                Identities identities = new Identities(link, new Keys(prefix()));
                String fresh = UUID.randomUUID().toString();
                Optional<String> before = identities.replace(FormatComponent.SOURCE_OF_TRUTH, fresh);
                if (before.isPresent()
                        && identities.claim(FormatComponent.INBOX, fresh).equals(before.get())) {
                    identities.replace(FormatComponent.INBOX, fresh);
                }
                return fresh;
            }
        }

        @Override
        Builder self() {
            return this;
        }
    }
}
