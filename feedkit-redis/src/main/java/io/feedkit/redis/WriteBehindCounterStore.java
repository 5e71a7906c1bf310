package io.feedkit.redis;

import io.feedkit.Beta;
import io.feedkit.FeedKitException;
import io.feedkit.ForeignStoreException;
import io.feedkit.PublishTransaction;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Arguments;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.start.StartedLink;
import io.feedkit.redis.internal.writebehind.FlushLoop;
import io.feedkit.redis.internal.writebehind.WriteBehindCounters;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.CounterStore;
import java.time.Duration;
import java.util.Optional;

/**
 * Unread counts, counters, reactions and views whose source of truth is SQL, with Redis before it for the changes that
 * are most frequent and may be written late.
 *
 * <pre>{@code
 * try (JdbcCounterStore sql = JdbcCounterStore.create(dataSource);
 *         WriteBehindCounterStore store =
 *                 WriteBehindCounterStore.create(RedisServers.at("redis://counters.internal"), sql)) {
 *     Counters.of(store).add("plays", "song", 1);
 * }
 * }</pre>
 *
 * <p>Adds without an operation's id, views, and all marks (read positions, what was seen) go to Redis. The
 * store writes them to the source every {@link Builder#flushInterval}, many changes of a counter as one. Everything
 * else goes to the source before the call returns: adds with an operation's id, messages, the members of a
 * conversation, reactions, announcements, versions of dots. Redis holds the changes that are not written yet, and for a
 * while those that are. A read asks both, so it is one round trip to each. Every reader of this store sees every change
 * at once, on whatever node.
 *
 * <p>If Redis is lost, restarts from a snapshot, or fails over to a replica that is behind, those unwritten changes are
 * lost that the server does not have any more: those of one interval, or of the time in which the source could not be
 * reached. What is in the source stays, nothing is counted twice, and what is acknowledged afterwards counts. For that
 * the scripts ask for the server's replication id ({@code INFO}). If the server's user may not ask, what is added to a
 * number between a failover and the next flush may be lost. A user who was forgotten after the state that the server
 * comes back with has to be forgotten again. While the source cannot be reached, unwritten changes stay in Redis,
 * without an expiry.
 *
 * <p>While Redis cannot be reached, reads return what the source has: without the unwritten changes, which are those of
 * the last interval, or of the time in which the source could not be reached. {@link #isRedisReachable} then returns
 * false, and a warning is logged. Reactions, messages, announcements, adds with an operation's id, and all other
 * changes that go to the source succeed. Changes that go to Redis, and what removes or forgets, fail with {@link
 * StoreUnavailableException} or {@link io.feedkit.OutcomeUnknownException}. In a cluster, a read takes nothing from
 * Redis if it needs a node that cannot be reached. A store whose Redis did not answer asks it again once a second. So
 * its reads see the changes in Redis a second after it is back, or after the next write or flush.
 *
 * <p>A store also starts while Redis cannot be reached: it logs a warning, connects later, and reads from SQL until
 * then. It writes no changes of Redis before it knows that they belong to the source.
 *
 * <p>All users of the source's tables must use them through stores like this one, with the same servers and prefix,
 * also in their transactions: see {@link #in}. Any number of processes may flush at once, and end anywhere. A sum that
 * does not fit into 64 bits becomes the nearest number that does. One thread flushes; for the rest see
 * {@link RedisCounterStore}. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class WriteBehindCounterStore extends ForwardingCounterStore {

    /** How often changes are written to the source: about as much as a host loses with Redis. */
    public static final Duration DEFAULT_FLUSH_INTERVAL = Duration.ofSeconds(1);

    /** How long Redis keeps changes that are written: much longer than any replica is behind. */
    public static final Duration DEFAULT_IDLE_KEPT = Duration.ofHours(1);

    /** How long closing waits for changes to be written. */
    public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration SHORTEST_IDLE_KEPT = Duration.ofMinutes(1);

    private final WriteBehindCounters counters;
    private final FlushLoop flushing;

    private WriteBehindCounterStore(StartedLink started, WriteBehindCounters counters, Builder settings) {
        super(started, counters);
        this.counters = counters;
        flushing = FlushLoop.start(counters, settings.flushInterval, settings.closeTimeout);
    }

    /**
     * Connects a store with default settings.
     *
     * @param servers where Redis is
     * @param source the source of truth, which the store does not close
     * @return the store
     * @throws IllegalArgumentException if one is null
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     * @throws ForeignStoreException as {@link Builder#build()}
     */
    public static WriteBehindCounterStore create(RedisServers servers, CounterSource source) {
        return builder(servers, source).build();
    }

    /**
     * Begins to set a store up.
     *
     * @param servers where Redis is
     * @param source the source of truth, which the store does not close
     * @return a builder
     * @throws IllegalArgumentException if one is null
     */
    public static Builder builder(RedisServers servers, CounterSource source) {
        return new Builder(servers, source);
    }

    /**
     * The same counters in a transaction of the host's: changes take effect if the host commits. Calls see earlier
     * changes of the transaction, and the changes in Redis.
     *
     * <pre>{@code
     * CounterStore joined = store.in(sql.in(JdbcTransaction.of(connection)));
     * UnreadCounter.of(joined).markAllSeen("ann", "like");
     * }</pre>
     *
     * <p>All changes go to the source. A call that raises a mark, such as one that marks a count as seen, first writes
     * the unwritten changes of that number in the transaction. Nothing is lost if it is rolled back. Redis cannot join
     * the transaction. So two things are refused with an {@link UnsupportedOperationException}, before anything is
     * done:
     *
     * <ul>
     *   <li>to forget a user: {@code FeedCounters.forget}, and {@code forget} of {@code UnreadCounter},
     *       {@code Announcements}, {@code RedDots} and {@code Views};
     *   <li>{@code Views.add}.
     * </ul>
     *
     * <p>Call these on this store, after the commit.
     *
     * @param joined the source of truth in the transaction; not the source itself
     * @return counters for the thread and the duration of the transaction
     * @throws IllegalArgumentException if it is null, another source of truth, or the source itself
     */
    public CounterStore in(CounterSource joined) {
        return counters.in(Arguments.nonNull("joined", joined));
    }

    /**
     * The same counters in a transaction, as {@link #in}, if the source takes part in transactions of its kind.
     *
     * @param transaction the host's transaction, such as a {@code JdbcTransaction}
     * @return counters for the thread and the duration of the transaction
     * @throws IllegalArgumentException if the source does not take part in a transaction of this kind
     */
    @Override
    public CounterStore joining(PublishTransaction transaction) {
        return counters.joining(Arguments.nonNull("transaction", transaction));
    }

    /**
     * Returns whether Redis answered this store's last reads, in a cluster each node's. While it did not, reads return
     * what the source has, without unwritten changes. Thread-safe; makes no call.
     *
     * @return whether reads see the unwritten changes
     */
    public boolean isRedisReachable() {
        return counters.isRedisReachable();
    }

    /**
     * Writes unwritten changes now, without waiting for the next interval. When it returns, all changes that any
     * process made before the call are written, also if other flushes run. Idempotent.
     *
     * <p>While a user is being forgotten, and for half a minute if the process ends that forgets, changes of this user
     * are not written. A flush waits a second for it, and fails after all other changes are written.
     *
     * @return how many cells and members this call wrote that did not change meanwhile
     * @throws FeedKitException if Redis or the source does not answer, or if others wrote the same number 1000 times
     *     meanwhile; nothing is lost or written twice by that
     */
    public int flush() {
        return counters.flush();
    }

    /**
     * Writes unwritten changes if possible. Then ends the thread and the connections, and the client and its threads
     * unless they are the host's. Waits for the writing, and for a flush that is under way, no longer than
     * {@link Builder#closeTimeout}. If the calling thread is interrupted, it stays interrupted, and does not wait. What
     * is not written then stays in Redis for the next store. Idempotent.
     */
    @Override
    public void close() {
        flushing.close();
        super.close();
    }

    /**
     * Settings of a store. Each may be set once; a clock changes nothing here. Not thread-safe. Every method throws as
     * those of {@link RedisCounterStore.Builder}.
     */
    public static final class Builder extends RedisSettings<Builder> {

        private final CounterSource source;
        private Duration flushInterval = DEFAULT_FLUSH_INTERVAL;
        private Duration idleKept = DEFAULT_IDLE_KEPT;
        private Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;

        private Builder(RedisServers servers, CounterSource source) {
            super(servers);
            this.source = Arguments.nonNull("source", source);
        }

        /**
         * Says how long to wait after a flush before the next one.
         *
         * @param flushInterval at least a millisecond; {@link WriteBehindCounterStore#DEFAULT_FLUSH_INTERVAL} by
         *     default
         * @return this builder
         */
        public Builder flushInterval(Duration flushInterval) {
            this.flushInterval = period("flushInterval", flushInterval);
            return this;
        }

        /**
         * Says how long Redis keeps what it holds of an owner after all of the owner's changes are written. It must be
         * longer than any call and any flush, and than the delay of any replica that may become the master.
         *
         * @param idleKept at least a minute; {@link WriteBehindCounterStore#DEFAULT_IDLE_KEPT} by default
         * @return this builder
         */
        public Builder idleKept(Duration idleKept) {
            this.idleKept = period("idleKept", idleKept, SHORTEST_IDLE_KEPT);
            return this;
        }

        /**
         * Says how long {@link WriteBehindCounterStore#close()} waits for changes to be written.
         *
         * @param closeTimeout at least a millisecond; {@link WriteBehindCounterStore#DEFAULT_CLOSE_TIMEOUT} by default
         * @return this builder
         */
        public Builder closeTimeout(Duration closeTimeout) {
            this.closeTimeout = period("closeTimeout", closeTimeout);
            return this;
        }

        /**
         * Connects, and checks the servers. If Redis cannot be reached, or a cluster is not ready, the store starts
         * without it. Then one more thread connects and checks the servers as soon as possible. While they are refused,
         * the store works as if Redis could not be reached, and logs why.
         *
         * @return the store
         * @throws StoreUnavailableException if the source does not answer; or Redis does not, and the caller was
         *     interrupted
         * @throws UnusableServerException if the server is not a Redis that FeedKit can use
         * @throws FormatVersionException if the keys under the prefix are in another format
         * @throws ForeignStoreException if Redis has changes of another source of truth under the prefix. After a start
         *     without Redis, calls throw {@link StoreUnavailableException} with this cause, and {@link #flush} throws
         *     it
         */
        public WriteBehindCounterStore build() {
            StartedLink started = start(true, FormatComponent.PENDING_CHANGES);
            try {
                return new WriteBehindCounterStore(
                        started, new WriteBehindCounters(started.link(), new Keys(prefix()), idleKept, source), this);
            } catch (Throwable e) {
                started.link().close();
                throw e;
            }
        }

        /**
         * Makes the changes under the prefix belong to the source, whichever source of truth they belonged to. Call it
         * after a database was restored or moved under another identity. It connects and checks the servers, and closes
         * the connections. The next store writes the changes to the source.
         *
         * @return the identity of the source of truth that the changes belonged to; empty if there was none
         * @throws StoreUnavailableException if there is no answer, or the cluster is not ready
         * @throws UnusableServerException if the server is not a Redis that FeedKit can use
         * @throws FormatVersionException if the keys under the prefix are in another format
         */
        public Optional<String> adopt() {
            return replaceIdentity(FormatComponent.PENDING_CHANGES, source.identity());
        }

        @Override
        Builder self() {
            return this;
        }
    }
}
