package io.feedkit.redis;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.call.RedisLink;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.redis.internal.counter.RedisCounters;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.format.ScriptClock;
import io.feedkit.redis.internal.start.CheckedLink;
import io.feedkit.spi.CounterStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Unread counts, counters, reactions and views in Redis 6.2 or later, or Valkey: one server, a master that sentinels watch, or a cluster. It needs no {@link RedisFeedStore} beside it, and may share
 * servers and prefix with one:
 *
 * <pre>{@code
 * try (RedisCounterStore store = RedisCounterStore.create("redis://counters.internal")) {
 *     UnreadCounter.of(store).add(List.of("alice"), "mention", 1);
 * }
 * }</pre>
 *
 * <p>Redis is the source of truth here: what is written is as durable as the server makes it. It needs {@code appendonly yes}, and {@code maxmemory-policy noeviction}, since part of the keys have an
 * expiry, which the policies {@code volatile-...} evict too. Replication is asynchronous, so a failover loses the last writes.
 *
 * <p>What a user has (typed counters, what was seen of announcements, seen red dots, reactions, views) expires when nothing of it was written for
 * {@link Builder#idleKept}: the typed counters of a user as a whole, the reactions of a user as a whole, and so on. It is then gone. The likes of such a user count no longer as the user's own, while
 * the counts of the posts stay as they are, so whoever likes again counts again. Conversations and who is in them, announcements, red dots, counters and the counts of posts do not expire.
 *
 * <p>The steps of one owner are atomic, and what is read of one owner's cells, one owner's members, or one standing is read at one moment. A batch is one round trip for each hundred steps, all of them sent in a row, to
 * all nodes of a cluster at once. A call fails with {@link StoreUnavailableException} if nothing of it was done, and with {@link io.feedkit.OutcomeUnknownException} if some of it may have been done. It is
 * never repeated by itself; an add without an operation's id should not be repeated after an unknown outcome.
 *
 * <p>There are three connections (to each master of a cluster), of a client of its own or of the host's, whose threads are Lettuce's; nothing else is started. Immutable and thread-safe.
 */
public final class RedisCounterStore implements CounterStore, AutoCloseable {

    /** How long operations and open tickets are remembered: a day, in which every retry of a host should have ended. */
    public static final Duration DEFAULT_OPERATIONS_KEPT = Duration.ofHours(24);

    /** How long what an idle user has is kept: 30 days, after which most users who come back start with nothing unread anyway. */
    public static final Duration DEFAULT_IDLE_KEPT = Duration.ofDays(30);

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final RedisLink link;
    private final List<String> warnings;
    private final RedisCounters numbers;

    private RedisCounterStore(CheckedLink checked, RedisCounters numbers) {
        this.link = checked.link();
        this.warnings = checked.warnings();
        this.numbers = numbers;
    }

    /**
     * Counters with default settings.
     *
     * @param uri where Redis is, as for {@link #builder(String)}
     * @return the store
     * @throws IllegalArgumentException as {@link #builder(String)}
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisCounterStore create(String uri) {
        return builder(uri).build();
    }

    /**
     * Counters with default settings.
     *
     * @param uri the server's address, or that of its sentinels
     * @return the store
     * @throws IllegalArgumentException as {@link #builder(RedisURI)}
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisCounterStore create(RedisURI uri) {
        return builder(uri).build();
    }

    /**
     * Counters with default settings on a client of the host's, which is not closed with it.
     *
     * @param client the client, as for {@link #builder(RedisClient)}
     * @return the store
     * @throws IllegalArgumentException as {@link #builder(RedisClient)}
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisCounterStore create(RedisClient client) {
        return builder(client).build();
    }

    /**
     * Counters with default settings on a client of the host's, which is not closed with it.
     *
     * @param client the client, as for {@link #builder(RedisClusterClient)}
     * @return the store
     * @throws IllegalArgumentException as {@link #builder(RedisClusterClient)}
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static RedisCounterStore create(RedisClusterClient client) {
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
    public List<Added> add(List<Add> adds) {
        return numbers.add(adds);
    }

    @Override
    public List<Raised> raise(List<Raise> raises) {
        return numbers.raise(raises);
    }

    @Override
    public void removeCells(Collection<CellKey> keys) {
        numbers.removeCells(keys);
    }

    @Override
    public List<OptionalLong> put(List<Put> puts) {
        return numbers.put(puts);
    }

    @Override
    public List<Long> openTickets(List<Owner> owners) {
        return numbers.openTickets(owners);
    }

    @Override
    public List<Boolean> redeem(List<Redemption> redemptions) {
        return numbers.redeem(redemptions);
    }

    @Override
    public List<Optional<Member>> turn(List<Turn> turns) {
        return numbers.turn(turns);
    }

    @Override
    public void settle(List<Settlement> turns) {
        numbers.settle(turns);
    }

    @Override
    public List<Boolean> removeMembers(Owner owner, List<String> members) {
        return numbers.removeMembers(owner, members);
    }

    @Override
    public void relabel(Owner owner, String member, String label) {
        numbers.relabel(owner, member, label);
    }

    @Override
    public Found read(Wanted wanted) {
        return numbers.read(wanted);
    }

    @Override
    public void forget(Collection<Owner> owners) {
        numbers.forget(owners);
    }

    /**
     * What was found at start about the servers that should be changed, or could not be found out; it was logged as well.
     *
     * @return for each a sentence with the reason, what to do, and the servers; empty if all is well
     */
    public List<String> warnings() {
        return warnings;
    }

    /** Ends the connections, and client and threads unless they are the host's. Idempotent. */
    @Override
    public void close() {
        link.close();
    }

    /**
     * Settings of a store. Each may be set once. Not thread-safe.
     *
     * <p>Every method throws {@link IllegalArgumentException} if the value is null or out of range, and {@link IllegalStateException} if the setting was set before. With a {@link #clock} nothing expires by
     * itself, neither idle users nor operations: those are only forgotten.
     */
    public static final class Builder extends RedisSettings<Builder> {

        private Duration operationsKept = DEFAULT_OPERATIONS_KEPT;
        private Duration idleKept = DEFAULT_IDLE_KEPT;

        private Builder(Servers servers) {
            super(servers);
        }

        /**
         * Says how long operations, and tickets that nobody redeems, are remembered.
         *
         * @param operationsKept at least a millisecond; {@link RedisCounterStore#DEFAULT_OPERATIONS_KEPT} by default
         * @return this builder
         */
        public Builder operationsKept(Duration operationsKept) {
            this.operationsKept = once("operationsKept", between("operationsKept", operationsKept, SHORTEST, LONGEST));
            return this;
        }

        /**
         * Says how long what a user has is kept after the last write to it. Reading does not count.
         *
         * @param idleKept at least a millisecond; {@link RedisCounterStore#DEFAULT_IDLE_KEPT} by default
         * @return this builder
         */
        public Builder idleKept(Duration idleKept) {
            this.idleKept = once("idleKept", between("idleKept", idleKept, SHORTEST, LONGEST));
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
        public RedisCounterStore build() {
            CheckedLink checked = attempt(Set.of(FormatComponent.COUNTERS)).get();
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
