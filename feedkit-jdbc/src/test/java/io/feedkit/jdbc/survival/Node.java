package io.feedkit.jdbc.survival;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.event.FeedListener;
import io.feedkit.event.TaskFailed;
import io.feedkit.event.TaskFinished;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.spi.FeedStore;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** An engine as a process of its own would have it, with a store and a pool of its own. Its batches are small and its leases short. */
final class Node implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(2);
    static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final JdbcFeedStore store;
    private final FeedEngine engine;
    private final Failures failures;

    private Node(JdbcFeedStore store, FeedEngine engine, Failures failures) {
        this.store = store;
        this.engine = engine;
        this.failures = failures;
    }

    /** Begins a node on a database that has the tables. */
    static Setup at(String url) {
        return new Setup(JdbcFeedStore.builder(url).timeout(TIMEOUT).poolSize(6));
    }

    /** Begins a node on a pool that has other users. */
    static Setup on(DataSource pool) {
        return new Setup(JdbcFeedStore.builder(pool).timeout(TIMEOUT));
    }

    FeedEngine engine() {
        return engine;
    }

    JdbcFeedStore store() {
        return store;
    }

    /** How often a fan-out task failed. */
    int failedTasks() {
        return failures.failed.get();
    }

    /** How many fan-out tasks it finished. */
    int finishedTasks() {
        return failures.finished.get();
    }

    @Override
    public void close() {
        engine.close();
        store.close();
    }

    private static final class Failures implements FeedListener {

        private final AtomicInteger failed = new AtomicInteger();
        private final AtomicInteger finished = new AtomicInteger();

        @Override
        public void taskFailed(TaskFailed event) {
            failed.incrementAndGet();
        }

        @Override
        public void taskFinished(TaskFinished event) {
            finished.incrementAndGet();
        }
    }

    /** Settings of a node: by default two workers who push. */
    static final class Setup {

        private final JdbcFeedStore.Builder store;
        private String name = "node";
        private int workers = 2;
        private FanoutPolicy policy = FanoutPolicy.push();
        private Clock clock = Clock.systemUTC();
        private Duration replayHorizon = FeedEngineBuilder.DEFAULT_REPLAY_HORIZON;
        private UnaryOperator<FeedStore> wrapping = UnaryOperator.identity();

        private Setup(JdbcFeedStore.Builder store) {
            this.store = store;
        }

        Setup named(String value) {
            name = value;
            return this;
        }

        Setup workers(int value) {
            workers = value;
            return this;
        }

        Setup policy(FanoutPolicy value) {
            policy = value;
            return this;
        }

        /** The engine's clock; the store keeps to the database's. */
        Setup clock(Clock value) {
            clock = value;
            return this;
        }

        /** The store's clock and the engine's. */
        Setup clocks(Clock value) {
            store.clock(value);
            return clock(value);
        }

        /** How long finished tasks are kept. */
        Setup replayHorizon(Duration value) {
            replayHorizon = value;
            return this;
        }

        /** Puts something between engine and store. */
        Setup through(UnaryOperator<FeedStore> value) {
            wrapping = value;
            return this;
        }

        Node open() {
            JdbcFeedStore made =
                    store.maintenanceInterval(Duration.ofSeconds(1)).build();
            Failures failures = new Failures();
            FeedEngine engine = FeedEngine.builder(wrapping.apply(made))
                    .name(name)
                    .workers(workers)
                    .policy(policy)
                    .clock(clock)
                    .listener(failures)
                    .batchSize(10)
                    .lease(LEASE)
                    .retryDelay(Duration.ofMillis(20))
                    .pollInterval(Duration.ofMillis(20))
                    .maxAttempts(100)
                    .replayHorizon(replayHorizon)
                    .build();
            return new Node(made, engine, failures);
        }
    }
}
