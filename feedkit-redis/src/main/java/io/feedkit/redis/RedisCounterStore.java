package io.feedkit.redis;

import io.feedkit.Beta;
import io.feedkit.StoreUnavailableException;
import io.feedkit.counter.Reactions.Repair;
import io.feedkit.internal.check.Arguments;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.counter.RedisCounters;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.redis.internal.start.CheckedLink;
import io.feedkit.redis.internal.start.StartedLink;
import java.time.Duration;
import java.util.List;

/**
 * Unread counts, counters, reactions and views in Redis 6.2 or later, or Valkey: on one server, on a master that
 * sentinels watch, or in a cluster. It needs no {@link RedisFeedStore} beside it, and may share servers and prefix with
 * one.
 *
 * <pre>{@code
 * try (RedisCounterStore store = RedisCounterStore.create(RedisServers.at("redis://counters.internal"))) {
 *     UnreadCounter.of(store).add(List.of("alice"), "mention", 1);
 * }
 * }</pre>
 *
 * <p>Redis is the source of truth here. A write is as durable as the server makes it. The server needs
 * {@code appendonly yes} and {@code maxmemory-policy noeviction}: some keys have an expiry, and the policies
 * {@code volatile-...} evict such keys. Replication is asynchronous, so a failover loses the last writes.
 *
 * <p>A user's own data are typed counters, the marks of seen announcements, seen red dots, and views. Each group
 * expires as a whole if no data in it were written for {@link Builder#idleKept}: the typed counters of a user, the
 * views of a user, and so on. Reactions and the counts of posts, conversations and their members, announcements, red
 * dots and counters do not expire.
 *
 * <p>The steps of one owner are atomic. A read sees one owner's cells, one owner's members, or one standing at one
 * moment. A batch is one round trip for each hundred steps. All of them are sent in a row, to all nodes of a cluster at
 * once. A call fails with {@link StoreUnavailableException} if none of its steps was executed, and with
 * {@link io.feedkit.OutcomeUnknownException} if some may have been executed. The store never repeats a call. After an
 * unknown outcome, a caller should not repeat an add without an operation's id.
 *
 * <p>The store has three connections (to each master of a cluster). They belong to the store's own Lettuce client, or
 * to the host's. The threads are Lettuce's; the store starts no others. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class RedisCounterStore extends ForwardingCounterStore {

    /**
     * How long operations and open tickets are remembered: a day, within which a host should have ended all retries.
     */
    public static final Duration DEFAULT_OPERATIONS_KEPT = Duration.ofHours(24);

    /** How long the data of an idle user are kept: 30 days. Most users who return later start with nothing unread. */
    public static final Duration DEFAULT_IDLE_KEPT = Duration.ofDays(30);

    private static final Duration SHORTEST_KEPT = Duration.ofSeconds(1);

    private final RedisCounters counters;

    private RedisCounterStore(CheckedLink checked, RedisCounters counters) {
        super(StartedLink.of(checked), counters);
        this.counters = counters;
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
    public static RedisCounterStore create(RedisServers servers) {
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

    /**
     * Recounts the reactions to all posts from the stored reactions of users, and repairs wrong counts. No call of this
     * library makes a count wrong, but a failover that loses writes, a restored backup or a manual change may. The call
     * walks through all users with {@code SCAN}: once for all counts, and once more for each 10,000 counts that look
     * wrong, or for each 250,000 users of such counts. It keeps in memory a number for each count, these users, and the
     * users who react to these posts meanwhile. Reactions may arrive meanwhile; each makes its post look wrong. If a
     * walk takes longer than an hour, the counts of that walk are not repaired. Posts whose users are not listed
     * ({@code keepingNewest(0)}) are not repaired if reactions arrive meanwhile. If several processes call this at
     * once, only one of them repairs a given post. Do not move slots of a cluster meanwhile.
     *
     * @param limit the maximum number of repairs; at least 1
     * @return the repairs, in the order of posts, with the counts at a moment of this call
     * @throws IllegalArgumentException if the limit is below 1
     */
    public List<Repair> reconcile(int limit) {
        Arguments.atLeast("limit", limit, 1);
        return counters.recountReactions(limit);
    }

    /**
     * Recounts the reactions to all posts as {@link #reconcile} does, under the same conditions, but changes no count.
     *
     * @param limit the maximum number of counts; at least 1
     * @return the repairs that {@link #reconcile} would make, in the order of posts
     * @throws IllegalArgumentException if the limit is below 1
     */
    @Beta
    public List<Repair> wrongCounts(int limit) {
        Arguments.atLeast("limit", limit, 1);
        return counters.wrongReactionCounts(limit);
    }

    /**
     * Settings of a store. Each may be set once. Not thread-safe.
     *
     * <p>Every method throws {@link IllegalArgumentException} if the value is null or out of range, and
     * {@link IllegalStateException} if the setting was set before. With a {@link #clock}, no key expires: the data of
     * idle users stay, and old operations are merely ignored.
     */
    public static final class Builder extends RedisSettings<Builder> {

        private Duration operationsKept = DEFAULT_OPERATIONS_KEPT;
        private Duration idleKept = DEFAULT_IDLE_KEPT;

        private Builder(RedisServers servers) {
            super(servers);
        }

        /**
         * Sets how long the operations of this store, and its tickets that are not redeemed, are remembered, also by
         * other stores on the same keys. The time must be longer than any call, and longer than the host repeats a
         * call.
         *
         * @param operationsKept at least a second; {@link RedisCounterStore#DEFAULT_OPERATIONS_KEPT} by default
         * @return this builder
         */
        public Builder operationsKept(Duration operationsKept) {
            this.operationsKept = period("operationsKept", operationsKept, SHORTEST_KEPT);
            return this;
        }

        /**
         * Sets how long the data of a user are kept after the last write to them. Reads do not extend this time. It
         * must be longer than any call. {@link io.feedkit.counter.Views} refuses a longer window.
         *
         * @param idleKept at least a second; {@link RedisCounterStore#DEFAULT_IDLE_KEPT} by default
         * @return this builder
         */
        public Builder idleKept(Duration idleKept) {
            this.idleKept = period("idleKept", idleKept, SHORTEST_KEPT);
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
        public RedisCounterStore build() {
            CheckedLink checked = attempt(FormatComponent.COUNTERS).get();
            return new RedisCounterStore(
                    checked,
                    new RedisCounters(
                            checked.link(), new Keys(prefix()), new ScriptClock(clock()), operationsKept, idleKept));
        }

        @Override
        Builder self() {
            return this;
        }
    }
}
