package io.feedkit.redis;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.counter.RedisCounters;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.redis.internal.start.CheckedLink;
import io.feedkit.spi.counter.CounterStore;
import java.time.Duration;

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
 * {@code volatile-...} evict those too. Replication is asynchronous, so a failover loses the last writes.
 *
 * <p>A user's own data are typed counters, the marks of seen announcements, seen red dots, reactions and views. Each
 * group expires as a whole when nothing of it was written for {@link Builder#idleKept}: the typed counters of a user,
 * the reactions of a user, and so on. An expired like counts no longer as the user's own, while the counts of the posts
 * stay as they are. So a user who likes the post again counts again. Conversations and their members, announcements,
 * red dots, counters and the counts of posts do not expire.
 *
 * <p>The steps of one owner are atomic. A read sees one owner's cells, one owner's members, or one standing at one
 * moment. A batch is one round trip for each hundred steps. All of them are sent in a row, to all nodes of a cluster at
 * once. A call fails with {@link StoreUnavailableException} if nothing of it was done, and with
 * {@link io.feedkit.OutcomeUnknownException} if some of it may have been done. The store never repeats a call. A caller
 * should not repeat an add without an operation's id after an unknown outcome.
 *
 * <p>The store has three connections (to each master of a cluster). They belong to a client of the store's own, or to
 * the host's. Their threads are Lettuce's; the store starts no others. Immutable and thread-safe.
 */
public final class RedisCounterStore extends ForwardingCounterStore {

    /** How long operations and open tickets are remembered: a day, in which every retry of a host should have ended. */
    public static final Duration DEFAULT_OPERATIONS_KEPT = Duration.ofHours(24);

    /**
     * How long the data of an idle user are kept: 30 days. Most users who come back later begin with nothing unread.
     */
    public static final Duration DEFAULT_IDLE_KEPT = Duration.ofDays(30);

    private RedisCounterStore(CheckedLink checked, CounterStore counters) {
        super(checked, counters);
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
     * Begins to set a store up.
     *
     * @param servers where Redis is
     * @return a builder
     * @throws IllegalArgumentException if it is null
     */
    public static Builder builder(RedisServers servers) {
        return new Builder(servers);
    }

    /**
     * Settings of a store. Each may be set once. Not thread-safe.
     *
     * <p>Every method throws {@link IllegalArgumentException} if the value is null or out of range, and
     * {@link IllegalStateException} if the setting was set before. With a {@link #clock} nothing expires by itself:
     * idle users stay, and operations are only forgotten.
     */
    public static final class Builder extends RedisSettings<Builder> {

        private Duration operationsKept = DEFAULT_OPERATIONS_KEPT;
        private Duration idleKept = DEFAULT_IDLE_KEPT;

        private Builder(RedisServers servers) {
            super(servers);
        }

        /**
         * Says how long operations are remembered, and tickets that nobody redeems.
         *
         * @param operationsKept at least a millisecond; {@link RedisCounterStore#DEFAULT_OPERATIONS_KEPT} by default
         * @return this builder
         */
        public Builder operationsKept(Duration operationsKept) {
            this.operationsKept = period("operationsKept", operationsKept);
            return this;
        }

        /**
         * Says how long the data of a user are kept after the last write to them. Reading does not count.
         *
         * @param idleKept at least a millisecond; {@link RedisCounterStore#DEFAULT_IDLE_KEPT} by default
         * @return this builder
         */
        public Builder idleKept(Duration idleKept) {
            this.idleKept = period("idleKept", idleKept);
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
