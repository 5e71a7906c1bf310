package io.feedkit.testservers.survival;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.event.DeliveryLossSuspected;
import io.feedkit.event.FeedListener;
import io.feedkit.event.InboxRebuilt;
import io.feedkit.event.InboxRefreshed;
import io.feedkit.event.PostDelivered;
import io.feedkit.event.TaskFailed;
import io.feedkit.event.TaskFinished;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.spi.FeedStore;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * An engine with a store of its own, as in a separate process. Its batches are small and its leases short. Thread-safe.
 */
public final class Node implements AutoCloseable {

    /** The lease of a task. */
    public static final Duration LEASE = Duration.ofSeconds(2);

    private final Opened opened;
    private final FeedEngine engine;
    private final Counts counts;

    private Node(Opened opened, FeedEngine engine, Counts counts) {
        this.opened = opened;
        this.engine = engine;
        this.counts = counts;
    }

    /**
     * Returns the settings of a new node.
     *
     * @param open opens the store
     * @param close closes the store when the node is closed
     * @param <S> the store
     * @return its settings
     */
    public static <S extends FeedStore> Setup on(Supplier<S> open, Consumer<S> close) {
        return new Setup(() -> {
            S store = open.get();
            return new Opened(store, () -> close.accept(store));
        });
    }

    /**
     * Returns the engine of this node.
     *
     * @return the engine
     */
    public FeedEngine engine() {
        return engine;
    }

    /**
     * Returns the store, without the wrapper set by {@link Setup#through}.
     *
     * @return the store
     */
    public FeedStore store() {
        return opened.store();
    }

    /**
     * Counts the failures of fan-out tasks.
     *
     * @return how many
     */
    public int failedTasks() {
        return counts.failed.get();
    }

    /**
     * Counts the fan-out tasks that the engine finished.
     *
     * @return how many
     */
    public int finishedTasks() {
        return counts.finished.get();
    }

    /**
     * Counts the inboxes that the engine built.
     *
     * @return how many
     */
    public int rebuilds() {
        return counts.rebuilt.get();
    }

    /**
     * Counts how often the engine suspected that its store had lost deliveries.
     *
     * @return how often
     */
    public int suspectedLosses() {
        return counts.suspectedLosses.get();
    }

    /**
     * Counts the lost deliveries that the engine found and repeated.
     *
     * @return how many
     */
    public int healed() {
        return counts.healed.get();
    }

    /** Closes the engine, then the store. */
    @Override
    public void close() {
        engine.close();
        opened.close().run();
    }

    private record Opened(FeedStore store, Runnable close) {}

    private static final class Counts implements FeedListener {

        private final AtomicInteger failed = new AtomicInteger();
        private final AtomicInteger finished = new AtomicInteger();
        private final AtomicInteger rebuilt = new AtomicInteger();
        private final AtomicInteger suspectedLosses = new AtomicInteger();
        private final AtomicInteger healed = new AtomicInteger();

        @Override
        public void taskFailed(TaskFailed event) {
            failed.incrementAndGet();
        }

        @Override
        public void taskFinished(TaskFinished event) {
            finished.incrementAndGet();
        }

        @Override
        public void rebuilt(InboxRebuilt event) {
            rebuilt.incrementAndGet();
        }

        @Override
        public void deliveryLossSuspected(DeliveryLossSuspected event) {
            suspectedLosses.incrementAndGet();
        }

        @Override
        public void delivered(PostDelivered event) {
            if (event.afterSuspectedLoss()) {
                healed.addAndGet(event.readers().size());
            }
        }

        @Override
        public void refreshed(InboxRefreshed event) {
            if (event.afterSuspectedLoss()) {
                healed.addAndGet(event.added());
            }
        }
    }

    /** Settings of a node: by default two workers and the push policy. Not thread-safe. */
    public static final class Setup {

        private final Supplier<Opened> store;
        private String name = "node";
        private int workers = 2;
        private FanoutPolicy policy = FanoutPolicy.push();
        private Clock clock = Clock.systemUTC();
        private Duration replayHorizon = FeedEngineBuilder.DEFAULT_REPLAY_HORIZON;
        private UnaryOperator<FeedStore> wrapping = UnaryOperator.identity();
        private UnaryOperator<FeedEngineBuilder> more = UnaryOperator.identity();

        private Setup(Supplier<Opened> store) {
            this.store = store;
        }

        /**
         * Names the engine.
         *
         * @param value the name
         * @return these settings
         */
        public Setup named(String value) {
            name = value;
            return this;
        }

        /**
         * Sets the number of workers.
         *
         * @param value the number
         * @return these settings
         */
        public Setup workers(int value) {
            workers = value;
            return this;
        }

        /**
         * Sets the policy.
         *
         * @param value the policy
         * @return these settings
         */
        public Setup policy(FanoutPolicy value) {
            policy = value;
            return this;
        }

        /**
         * Sets the engine's clock. The store keeps its own clock.
         *
         * @param value the clock
         * @return these settings
         */
        public Setup clock(Clock value) {
            clock = value;
            return this;
        }

        /**
         * Sets how long finished tasks are kept.
         *
         * @param value how long
         * @return these settings
         */
        public Setup replayHorizon(Duration value) {
            replayHorizon = value;
            return this;
        }

        /**
         * Puts a wrapper between engine and store.
         *
         * @param value returns the store that the engine gets
         * @return these settings
         */
        public Setup through(UnaryOperator<FeedStore> value) {
            wrapping = value;
            return this;
        }

        /**
         * Adds further settings of the engine.
         *
         * @param value sets them
         * @return these settings
         */
        public Setup settings(UnaryOperator<FeedEngineBuilder> value) {
            more = value;
            return this;
        }

        /**
         * Opens the store and starts the engine.
         *
         * @return the node
         */
        public Node open() {
            Opened opened = store.get();
            Counts counts = new Counts();
            FeedEngineBuilder builder = FeedEngine.builder(wrapping.apply(opened.store()))
                    .name(name)
                    .workers(workers)
                    .policy(policy)
                    .clock(clock)
                    .listener(counts)
                    .fanout(fanout -> fanout.batchSize(10)
                            .lease(LEASE)
                            .retryDelay(Duration.ofMillis(20))
                            .pollInterval(Duration.ofMillis(20))
                            .maxAttempts(100)
                            .replayHorizon(replayHorizon));
            return new Node(opened, more.apply(builder).build(), counts);
        }
    }
}
