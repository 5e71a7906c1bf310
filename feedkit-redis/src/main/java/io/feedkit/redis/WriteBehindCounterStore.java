package io.feedkit.redis;

import static io.feedkit.redis.RedisSettings.nonNull;

import io.feedkit.FeedKitException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.check.FormatComponent;
import io.feedkit.redis.internal.connection.FailureLogLevel;
import io.feedkit.redis.internal.connection.Servers;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.redis.internal.start.CheckedLink;
import io.feedkit.redis.internal.writebehind.WriteBehindCounters;
import io.feedkit.spi.CounterSource;
import io.feedkit.spi.CounterStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unread counts, counters, reactions and views with their source of truth in SQL, and Redis before it for what is written most and may be written late:
 *
 * <pre>{@code
 * try (WriteBehindCounterStore store =
 *         WriteBehindCounterStore.create("redis://counters.internal", JdbcCounterStore.create(dataSource))) {
 *     Counters.of(store).add("plays", "song", 1);
 * }
 * }</pre>
 *
 * <p>Adds without an operation's id, views, and all marks (read positions, what was seen or cleared) go to Redis, and are written to the source every {@link Builder#flushInterval}, many changes of a
 * counter as one. Everything else goes to the source before the call returns: adds with an operation's id, messages, who is in a conversation, reactions, announcements, versions of dots. Redis holds what is not
 * written yet, and for a while what is; what is read is asked of both, so that a call which reads is one round trip to each. Nothing is late to readers of this store, on whatever node.
 *
 * <p>If Redis is lost, or fails over to a replica that is behind, what was not written is lost: what came within one interval. What is in the source stays, and nothing is counted twice. While the source
 * cannot be reached, what is late stays in Redis, without an expiry. While Redis cannot be reached, calls that need it end in {@link StoreUnavailableException} or {@link io.feedkit.OutcomeUnknownException}; those that go to the source alone go on.
 *
 * <p>All that use the tables of the source use them through stores like this with the same servers and prefix, but for what joins a host's transaction. Any number of processes may flush at once, and end
 * anywhere. A sum that does not fit into 64 bits becomes the nearest number that does. One thread flushes; otherwise as {@link RedisCounterStore}. Thread-safe.
 */
public final class WriteBehindCounterStore implements CounterStore, AutoCloseable {

    /** How often late changes are written: about as much as a host loses with Redis. */
    public static final Duration DEFAULT_FLUSH_INTERVAL = Duration.ofSeconds(1);

    /** How long Redis keeps what is written: much longer than any replica is behind. */
    public static final Duration DEFAULT_IDLE_KEPT = Duration.ofHours(1);

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final Logger LOG = LoggerFactory.getLogger(WriteBehindCounterStore.class);

    private final CheckedLink checked;
    private final WriteBehindCounters numbers;
    private final long intervalNanos;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread flusher = new Thread(this::flushAgainAndAgain, "feedkit-counters-flush");

    private WriteBehindCounterStore(CheckedLink checked, WriteBehindCounters numbers, Duration interval) {
        this.checked = checked;
        this.numbers = numbers;
        this.intervalNanos = interval.toNanos();
        flusher.setDaemon(true);
    }

    /**
     * Counters with default settings.
     *
     * @param uri where Redis is, as for {@link RedisCounterStore#builder(String)}
     * @param source the source of truth
     * @return the store
     * @throws IllegalArgumentException as {@link #builder(String, CounterSource)}
     * @throws StoreUnavailableException as {@link Builder#build()}
     * @throws UnusableServerException as {@link Builder#build()}
     * @throws FormatVersionException as {@link Builder#build()}
     */
    public static WriteBehindCounterStore create(String uri, CounterSource source) {
        return builder(uri, source).build();
    }

    /**
     * Begins to set a store up.
     *
     * @param uri where Redis is, as for {@link RedisCounterStore#builder(String)}
     * @param source the source of truth, which is not closed with it
     * @return a builder
     * @throws IllegalArgumentException if one is null, or it is not such an address; the message does not show the password
     */
    public static Builder builder(String uri, CounterSource source) {
        return new Builder(Servers.of(nonNull("uri", uri)), source);
    }

    /**
     * Begins to set a store up.
     *
     * @param uri as for {@link RedisCounterStore#builder(RedisURI)}
     * @param source the source of truth, which is not closed with it
     * @return a builder
     * @throws IllegalArgumentException if one is null, or the address has sentinels but no name of a master
     */
    public static Builder builder(RedisURI uri, CounterSource source) {
        return new Builder(Servers.of(nonNull("uri", uri)), source);
    }

    /**
     * Begins to set a store up on a client of the host's, which is not closed with it.
     *
     * @param client as for {@link RedisCounterStore#builder(RedisClient)}
     * @param source the source of truth, which is not closed with it
     * @return a builder
     * @throws IllegalArgumentException if one is null, or the client's options are others; the message says which
     */
    public static Builder builder(RedisClient client, CounterSource source) {
        return new Builder(Servers.of(nonNull("client", client)), source);
    }

    /**
     * Begins to set a store up on a client of the host's, which is not closed with it.
     *
     * @param client as for {@link RedisCounterStore#builder(RedisClusterClient)}
     * @param source the source of truth, which is not closed with it
     * @return a builder
     * @throws IllegalArgumentException if one is null, or the client's options are others; the message says which
     */
    public static Builder builder(RedisClusterClient client, CounterSource source) {
        return new Builder(Servers.of(nonNull("client", client)), source);
    }

    private void flushAgainAndAgain() {
        FailureLogLevel loudness = new FailureLogLevel(Clock.systemUTC());
        try {
            while (!closed.await(intervalNanos, TimeUnit.NANOSECONDS)) {
                flushOnce(loudness);
            }
        } catch (InterruptedException e) {
            LOG.debug("interrupted, which nobody does", e);
        }
    }

    /** Whatever is thrown, the next interval tries again. */
    private void flushOnce(FailureLogLevel loudness) {
        try {
            numbers.flush();
        } catch (Throwable e) {
            LOG.atLevel(loudness.of(e))
                    .setCause(e)
                    .log("late changes of counters cannot be written, and stay in Redis until they can");
        }
    }

    /**
     * Writes all that is late now, whoever did it, without waiting for the next interval. Idempotent.
     *
     * @return how many cells and members were written
     * @throws FeedKitException if Redis or the source do not answer; nothing is lost or written twice by that
     */
    public int flush() {
        return numbers.flush();
    }

    /**
     * What was found at start about the servers that should be changed, or could not be found out; it was logged as well.
     *
     * @return for each a sentence with the reason, what to do, and the servers; empty if all is well
     */
    public List<String> warnings() {
        return checked.warnings();
    }

    /** Writes what is late, if that can be, and ends the thread, the connections, and client and threads unless they are the host's. Waits for a flush that is going on. Idempotent. */
    @Override
    public void close() {
        if (closed.getCount() == 0) {
            return;
        }
        closed.countDown();
        boolean interrupted = false;
        while (flusher.isAlive()) {
            try {
                flusher.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        flushOnce(new FailureLogLevel(Clock.systemUTC()));
        checked.link().close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
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

    /** Settings of a store. Each may be set once; a clock changes nothing here. Not thread-safe. Every method throws as those of {@link RedisCounterStore.Builder}. */
    public static final class Builder extends RedisSettings<Builder> {

        private final CounterSource source;
        private Duration flushInterval = DEFAULT_FLUSH_INTERVAL;
        private Duration idleKept = DEFAULT_IDLE_KEPT;

        private Builder(Servers servers, CounterSource source) {
            super(servers);
            this.source = nonNull("source", source);
        }

        /**
         * Says how long to wait after a flush before the next one.
         *
         * @param flushInterval at least a millisecond; {@link WriteBehindCounterStore#DEFAULT_FLUSH_INTERVAL} by default
         * @return this builder
         */
        public Builder flushInterval(Duration flushInterval) {
            this.flushInterval = once("flushInterval", between("flushInterval", flushInterval, SHORTEST, LONGEST));
            return this;
        }

        /**
         * Says how long Redis keeps what it holds of an owner of whom nothing is late any more. It must be longer than a replica can be behind that may become the master.
         *
         * @param idleKept at least a millisecond; {@link WriteBehindCounterStore#DEFAULT_IDLE_KEPT} by default
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
        public WriteBehindCounterStore build() {
            CheckedLink checked =
                    attempt(Set.of(FormatComponent.PENDING_CHANGES)).get();
            WriteBehindCounterStore store = new WriteBehindCounterStore(
                    checked,
                    new WriteBehindCounters(checked.link(), new Keys(prefix()), idleKept, source),
                    flushInterval);
            store.flusher.start();
            return store;
        }

        @Override
        Builder self() {
            return this;
        }
    }
}
