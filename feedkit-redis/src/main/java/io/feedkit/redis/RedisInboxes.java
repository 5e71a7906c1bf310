package io.feedkit.redis;

import io.feedkit.Beta;
import io.feedkit.StoreUnavailableException;
import io.feedkit.health.StoreDescription;
import io.feedkit.health.StoreDescription.Data;
import io.feedkit.health.StorePart;
import io.feedkit.internal.check.Arguments;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.redis.internal.inbox.RedisInbox;
import io.feedkit.redis.internal.presence.RedisPresenceStore;
import io.feedkit.redis.internal.rank.RedisRankSnapshots;
import io.feedkit.redis.internal.start.StartedLink;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spi.RankSnapshots;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Inboxes in Redis 6.2 or later, or Valkey: on one server, on a master that sentinels watch, or in a cluster. Another
 * store is the source of truth.
 *
 * <pre>{@code
 * RedisInboxes inboxes = RedisInboxes.create(RedisServers.at("redis://cache.internal"));
 * FeedStore store = FeedStore.of(
 *         sql.outbox(), inboxes::inbox, sql.graph(), sql.seenMarks(), inboxes.rankSnapshots());
 * }</pre>
 *
 * <p>The server may lose or evict any of these data: an inbox that lacks a part counts as absent, and the engine
 * rebuilds it. There are three connections (to each master of a cluster). They belong to FeedKit's own Lettuce client,
 * or to the host's. The threads are Lettuce's. One more thread connects after a
 * {@linkplain Builder#startWithoutServer start without the server}. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RedisInboxes implements StorePart, AutoCloseable {

    /** The default prefix of key names. */
    public static final String DEFAULT_PREFIX = "feedkit";

    /**
     * How long a call waits for an answer by default: a thousand times as long as a slow answer takes, and short enough
     * that a read fails soon.
     */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /** Whether inboxes start although the server cannot be reached: no, so that a wrong address is noticed at start. */
    public static final boolean DEFAULT_START_WITHOUT_SERVER = false;

    private final Link link;
    private final String prefix;
    private final Optional<Clock> clock;
    private final Supplier<List<String>> warnings;
    private final String place;

    private RedisInboxes(
            Link link, Supplier<List<String>> warnings, String place, String prefix, Optional<Clock> clock) {
        this.link = link;
        this.place = place;
        this.warnings = warnings;
        this.prefix = prefix;
        this.clock = clock;
    }

    /**
     * Connects inboxes with default settings.
     *
     * @param servers where Redis is
     * @return the inboxes
     * @throws IllegalArgumentException if it is null
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisInboxes create(RedisServers servers) {
        return builder(servers).build();
    }

    /**
     * Returns a builder of inboxes.
     *
     * @param servers where Redis is
     * @return a builder
     * @throws IllegalArgumentException if it is null
     */
    public static Builder builder(RedisServers servers) {
        return new Builder(servers);
    }

    /**
     * Returns a view of the inboxes, for a store that is composed of parts.
     *
     * @param limits the cap and the live window that all operations of this view apply
     * @return the view
     */
    public Inbox inbox(InboxLimits limits) {
        return new RedisInbox(link, prefix, clock, Arguments.nonNull("limits", limits));
    }

    /**
     * Returns the orders of ranked feeds, for a store that is composed of parts: the later pages of a walk can then be
     * read on every engine. Like the inboxes, the server may lose or evict them.
     *
     * @return the orders
     */
    @Beta
    public RankSnapshots rankSnapshots() {
        return new RedisRankSnapshots(link, new Keys(prefix), new ScriptClock(clock));
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
     * @return a sentence for each warning, with the reason, what to do, and the servers; empty if there are none, or if
     *     the servers were not reached yet
     */
    public List<String> warnings() {
        return warnings.get();
    }

    /**
     * Closes the connections, and the client and its threads unless they are the host's. Close the engines on these
     * inboxes first. Idempotent.
     *
     * <p>If the inboxes are still connecting ({@link Builder#startWithoutServer}), they give up, and the connecting
     * thread has ended when this returns. If a client of the host's is making a connection at that moment, the
     * connection stays with that client.
     */
    @Override
    public void close() {
        link.close();
    }

    @Override
    public List<StoreDescription> describe() {
        return List.of(new StoreDescription(
                Set.of(Data.INBOXES), place, "may be lost: inboxes are rebuilt from the posts", warnings()));
    }

    @Override
    public String toString() {
        return "RedisInboxes[" + prefix + "]";
    }

    /**
     * Settings of inboxes. Each may be set once. Not thread-safe.
     *
     * <p>Every method throws {@link IllegalArgumentException} if the value is null or out of range, and
     * {@link IllegalStateException} if the setting was set before.
     */
    public static final class Builder extends RedisSettings<Builder> {

        private boolean startWithoutServer = DEFAULT_START_WITHOUT_SERVER;

        private Builder(RedisServers servers) {
            super(servers);
        }

        /**
         * Sets whether {@link #build()} succeeds although the server cannot be reached, so that a host can start
         * without it.
         *
         * <p>A thread then repeats attempts to connect, after pauses that grow to two seconds. Until one succeeds,
         * every call fails at once with {@link StoreUnavailableException}, whose message has the reason of the last
         * failed attempt. The caller may retry. If another store has the posts, the engine can publish and delete
         * meanwhile: the tasks wait. It serves pages from the outboxes. Follows and unfollows fail. In a cluster, all
         * of this also applies while a single node is silent.
         *
         * <p>The check at start runs after the connection succeeds. If the check refuses the server, nothing is written
         * to it, and a warning is logged. Calls continue to fail with {@link StoreUnavailableException}. Its causes
         * include the exception that {@link #build()} would have thrown ({@link UnusableServerException},
         * {@link FormatVersionException}). The inboxes connect once the problem is fixed.
         *
         * <p>A server that is reached only after the start counts as one that may have lost data
         * ({@link Inbox#deliveriesSafeSince}): the engine repeats the latest deliveries.
         *
         * @param startWithoutServer {@link RedisInboxes#DEFAULT_START_WITHOUT_SERVER} by default
         * @return this builder
         */
        public Builder startWithoutServer(boolean startWithoutServer) {
            this.startWithoutServer = once("startWithoutServer", startWithoutServer);
            return this;
        }

        /**
         * Connects, and checks the servers. This waits for one attempt to connect, also with
         * {@link #startWithoutServer}.
         *
         * @return the inboxes
         * @throws StoreUnavailableException if there is no answer, or the cluster is not ready; with
         *     {@link #startWithoutServer} only if the caller was interrupted
         * @throws UnusableServerException if the server is not a Redis that FeedKit can use
         * @throws FormatVersionException if the keys under the prefix are in another format
         */
        public RedisInboxes build() {
            StartedLink started = start(startWithoutServer, FormatComponent.INBOX);
            return new RedisInboxes(started.link(), started.warnings(), place(), prefix(), clock());
        }

        /**
         * Assigns the inboxes under the prefix to a source of truth, even if they belong to another one. Call this
         * after a database was restored or moved under another identity, if it has the posts from which the inboxes
         * were filled. The call connects and checks the servers, and closes the connections. Engines of another source
         * of truth stop using the inboxes within seconds.
         *
         * @param outbox the source of truth
         * @return the identity that the inboxes belonged to; empty if they belonged to none
         * @throws StoreUnavailableException if there is no answer, or the cluster is not ready
         * @throws UnusableServerException if the server is not a Redis that FeedKit can use
         * @throws FormatVersionException if the keys under the prefix are in another format
         */
        public Optional<String> adopt(Outbox outbox) {
            String identity = Arguments.nonNull("outbox", outbox).identity();
            return replaceIdentity(FormatComponent.INBOX, identity);
        }

        @Override
        Builder self() {
            return this;
        }
    }
}
