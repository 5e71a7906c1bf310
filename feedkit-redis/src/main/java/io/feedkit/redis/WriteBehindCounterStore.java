package io.feedkit.redis;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Arguments;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.start.CheckedLink;
import io.feedkit.redis.internal.writebehind.FlushLoop;
import io.feedkit.redis.internal.writebehind.WriteBehindCounters;
import io.feedkit.spi.counter.CounterSource;
import java.time.Duration;

/**
 * Unread counts, counters, reactions and views whose source of truth is SQL, with Redis before it for the changes that
 * are most frequent and may be written late.
 *
 * <pre>{@code
 * try (WriteBehindCounterStore store = WriteBehindCounterStore.create(
 *         RedisServers.at("redis://counters.internal"), JdbcCounterStore.create(dataSource))) {
 *     Counters.of(store).add("plays", "song", 1);
 * }
 * }</pre>
 *
 * <p>Adds without an operation's id, views, and all marks (read positions, what was seen or cleared) go to Redis. The
 * store writes them to the source every {@link Builder#flushInterval}, many changes of a counter as one. Everything
 * else goes to the source before the call returns: adds with an operation's id, messages, the members of a
 * conversation, reactions, announcements, versions of dots. Redis holds the changes that are not written yet, and for a
 * while those that are. A read asks both, so it is one round trip to each. Every reader of this store sees every change
 * at once, on whatever node.
 *
 * <p>If Redis is lost, or fails over to a replica that is behind, unwritten changes are lost: those of one interval.
 * What is in the source stays, and nothing is counted twice. While the source cannot be reached, unwritten changes stay
 * in Redis, without an expiry. While Redis cannot be reached, calls that need it fail with
 * {@link StoreUnavailableException} or {@link io.feedkit.OutcomeUnknownException}. Calls that need only the source
 * succeed.
 *
 * <p>All users of the source's tables must use them through stores like this one, with the same servers and prefix. The
 * exception is a write that joins a host's transaction. Any number of processes may flush at once, and end anywhere. A
 * sum that does not fit into 64 bits becomes the nearest number that does. One thread flushes; for the rest see
 * {@link RedisCounterStore}. Thread-safe.
 */
public final class WriteBehindCounterStore extends ForwardingCounterStore {

    /** How often changes are written to the source: about as much as a host loses with Redis. */
    public static final Duration DEFAULT_FLUSH_INTERVAL = Duration.ofSeconds(1);

    /** How long Redis keeps changes that are written: much longer than any replica is behind. */
    public static final Duration DEFAULT_IDLE_KEPT = Duration.ofHours(1);

    private final WriteBehindCounters counters;
    private final FlushLoop flushing;

    private WriteBehindCounterStore(CheckedLink checked, WriteBehindCounters counters, Duration interval) {
        super(checked, counters);
        this.counters = counters;
        flushing = FlushLoop.start(counters, interval);
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
     * Writes all unwritten changes now, whoever made them, without waiting for the next interval. Idempotent.
     *
     * @return how many cells and members were written
     * @throws FeedKitException if Redis or the source does not answer; nothing is lost or written twice by that
     */
    public int flush() {
        return counters.flush();
    }

    /**
     * Writes unwritten changes if possible. Then ends the thread and the connections, and the client and its threads
     * unless they are the host's. Waits for a flush that is under way. Idempotent.
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
         * longer than the delay of any replica that may become the master.
         *
         * @param idleKept at least a millisecond; {@link WriteBehindCounterStore#DEFAULT_IDLE_KEPT} by default
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
        public WriteBehindCounterStore build() {
            CheckedLink checked = attempt(FormatComponent.PENDING_CHANGES).get();
            return new WriteBehindCounterStore(
                    checked,
                    new WriteBehindCounters(checked.link(), new Keys(prefix()), idleKept, source),
                    flushInterval);
        }

        @Override
        Builder self() {
            return this;
        }
    }
}
