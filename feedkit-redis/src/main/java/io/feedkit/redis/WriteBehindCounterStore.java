package io.feedkit.redis;

import io.feedkit.Beta;
import io.feedkit.FeedKitException;
import io.feedkit.ForeignStoreException;
import io.feedkit.PublishTransaction;
import io.feedkit.StoreUnavailableException;
import io.feedkit.counter.WriteBehindStatus;
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
 * Unread counts, counters, reactions and views whose source of truth is SQL. Redis holds the most frequent changes
 * until they are written to SQL.
 *
 * <pre>{@code
 * try (JdbcCounterStore sql = JdbcCounterStore.create(dataSource);
 *         WriteBehindCounterStore store =
 *                 WriteBehindCounterStore.create(RedisServers.at("redis://counters.internal"), sql)) {
 *     Counters.of(store).add("plays", "song", 1);
 * }
 * }</pre>
 *
 * <p>Adds without an operation's id, views, and all marks (read positions, seen marks) go to Redis. The store writes
 * them to the source every {@link Builder#flushInterval}, many changes of a counter as one. Everything else goes to the
 * source before the call returns: adds with an operation's id, messages, the members of a conversation, reactions,
 * announcements, versions of dots. Redis holds the unwritten changes, and keeps written ones for a while. A read asks
 * both, so it is one round trip to each. Every read of this store sees every change at once, on any node.
 *
 * <p>If Redis is lost, restarts from a snapshot, or fails over to a replica that is behind, the unwritten changes that
 * the server no longer has are lost: those of one interval, or of the time in which the source could not be reached.
 * Changes in the source stay, no change is counted twice, and changes that are acknowledged afterwards count. To detect
 * such a loss, the scripts ask for the server's replication id ({@code INFO}). If the server's user may not run
 * {@code INFO}, amounts that are added to a number between a failover and the next flush may be lost. If the server
 * returns to a state from before a user was forgotten, that user has to be forgotten again. While the source cannot be
 * reached, unwritten changes stay in Redis, without an expiry.
 *
 * <p>While Redis cannot be reached, reads return what the source has, without the unwritten changes: those of the last
 * interval, or of the time in which the source could not be reached. {@link #isRedisReachable} then returns false, and
 * a warning is logged. Reactions, messages, announcements, adds with an operation's id, and all other changes that go
 * to the source succeed. Changes that go to Redis, and calls that remove or forget, fail with
 * {@link StoreUnavailableException} or {@link io.feedkit.OutcomeUnknownException}. In a cluster, a read takes nothing
 * from Redis if it needs a node that cannot be reached. After Redis did not answer, the store asks it again once a
 * second. So reads see the changes in Redis a second after it is back, or after the next write or flush.
 *
 * <p>A store also starts while Redis cannot be reached: it logs a warning, connects later, and reads from SQL until
 * then. It writes no changes of Redis before it knows that they belong to the source.
 *
 * <p>All processes must use the source's tables through stores like this one, with the same servers and prefix, also in
 * their transactions: see {@link #in}. Any number of processes may flush at once, and may end at any point. A sum that
 * does not fit into 64 bits becomes the nearest number that does. The store has one thread, which flushes; for
 * connections and other threads see {@link RedisCounterStore}. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class WriteBehindCounterStore extends ForwardingCounterStore {

    /** How often changes are written to the source. If Redis is lost, about the changes of this time are lost. */
    public static final Duration DEFAULT_FLUSH_INTERVAL = Duration.ofSeconds(1);

    /** How long Redis keeps written changes: much longer than the delay of any replica. */
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
     * Returns a builder of a store.
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
     * Returns the same counters in a transaction of the host's. Changes take effect if the host commits. Calls see
     * earlier changes of the transaction, and the changes in Redis.
     *
     * <pre>{@code
     * CounterStore joined = store.in(sql.in(JdbcTransaction.of(connection)));
     * UnreadCounter.of(joined).markAllSeen("ann", "like");
     * }</pre>
     *
     * <p>All changes go to the source. A call that raises a mark, such as one that marks a count as seen, first writes
     * the unwritten changes of that number in the transaction. No change is lost if the transaction is rolled back.
     * Redis cannot join the transaction. So two kinds of calls are refused with an
     * {@link UnsupportedOperationException}, before any change:
     *
     * <ul>
     *   <li>calls that forget a user: {@code FeedCounters.forget}, and {@code forget} of {@code UnreadCounter},
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
     * Returns the same counters in a transaction, as {@link #in}, if the source takes part in transactions of its kind.
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
     * Returns whether Redis answered the last reads of this store; in a cluster, whether every node did. While it does
     * not, reads return what the source has, without unwritten changes. Thread-safe; makes no call.
     *
     * @return whether reads see the unwritten changes
     */
    public boolean isRedisReachable() {
        return counters.isRedisReachable();
    }

    /**
     * Returns how this store's flushes keep up, for metrics. Thread-safe; makes no call.
     *
     * @return the status
     */
    public WriteBehindStatus status() {
        return counters.status();
    }

    /**
     * Writes unwritten changes now, without waiting for the next interval. When it returns, all changes that any
     * process made before the call are written, also if other flushes run. Idempotent.
     *
     * <p>While a user is being forgotten, changes of this user are not written. If the process that forgets the user
     * ends meanwhile, this lasts up to half a minute. A flush then writes all other changes, waits up to a second for
     * the forgetting to end, and fails if it has not ended.
     *
     * @return the number of cells and members that this call wrote, and that did not change meanwhile
     * @throws FeedKitException if Redis or the source does not answer, or if others wrote the same number 1000 times
     *     meanwhile; then no change is lost or written twice
     */
    public int flush() {
        return counters.flush();
    }

    /**
     * Writes unwritten changes if possible. Then ends the thread, and closes the connections, and the client and its
     * threads unless they are the host's. Waits for the writing, and for a flush that is under way, no longer than
     * {@link Builder#closeTimeout}. If the calling thread is interrupted, it stays interrupted, and does not wait.
     * Changes that are not written by then stay in Redis for the next store. Idempotent.
     */
    @Override
    public void close() {
        flushing.close();
        super.close();
    }

    /**
     * Settings of a store. Each may be set once; a clock has no effect here. Not thread-safe. The methods throw the
     * same exceptions as those of {@link RedisCounterStore.Builder}.
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
         * Sets how long to wait after a flush before the next one.
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
         * Sets how long Redis keeps the changes of an owner after all of them are written. The time must be longer than
         * any call and any flush, and than the delay of any replica that may become the master.
         *
         * @param idleKept at least a minute; {@link WriteBehindCounterStore#DEFAULT_IDLE_KEPT} by default
         * @return this builder
         */
        public Builder idleKept(Duration idleKept) {
            this.idleKept = period("idleKept", idleKept, SHORTEST_IDLE_KEPT);
            return this;
        }

        /**
         * Sets how long {@link WriteBehindCounterStore#close()} waits for changes to be written.
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
         * without it. Then one more thread connects and checks the servers as soon as possible. While the check refuses
         * them, the store works as if Redis could not be reached, and logs the reason.
         *
         * @return the store
         * @throws StoreUnavailableException if the source does not answer, or if Redis does not answer and the caller
         *     was interrupted
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
         * Assigns the changes under the prefix to the source, even if they belong to another source of truth. Call this
         * after a database was restored or moved under another identity. The call connects and checks the servers, and
         * closes the connections. The next store writes the changes to the source.
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
