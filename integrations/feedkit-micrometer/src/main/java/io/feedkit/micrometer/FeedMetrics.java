package io.feedkit.micrometer;

import static io.feedkit.internal.check.Arguments.between;
import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.FeedEngine;
import io.feedkit.counter.WriteBehindStatus;
import io.feedkit.event.ArchiveStep;
import io.feedkit.event.CardPartFailed;
import io.feedkit.event.CopyStep;
import io.feedkit.event.DeliveryLossSuspected;
import io.feedkit.event.FeedListener;
import io.feedkit.event.FeedRead;
import io.feedkit.event.FollowChanged;
import io.feedkit.event.InboxRebuilt;
import io.feedkit.event.InboxRefreshed;
import io.feedkit.event.OperationEnd;
import io.feedkit.event.OperationStarted;
import io.feedkit.event.PostDeleted;
import io.feedkit.event.PostDelivered;
import io.feedkit.event.PostPublished;
import io.feedkit.event.TaskFailed;
import io.feedkit.event.TaskFinished;
import io.feedkit.fanout.QueueTraffic;
import io.feedkit.internal.check.SetOnce;
import io.feedkit.verify.VerifyReport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records meters of one engine in a registry: events as the listener of the engine, and gauges once it watches the
 * engine.
 *
 * <pre>{@code
 * FeedMetrics metrics = FeedMetrics.create(registry);
 * FeedEngine feed = FeedEngine.builder(store).listener(metrics).build();
 * metrics.watch(feed);
 * }</pre>
 *
 * <p>No tag holds the id of a user or a post. A tag with names that the host chooses has at most 100 values; further
 * names count as {@code other}. Timers measure operations that succeeded, and have buckets. A refused or
 * failed operation counts in {@code feedkit.failures}. The guide {@code docs/guides/metrics.md} lists the meters.
 *
 * <p>The gauges of the backlog and of the store need calls to the store. Such a call runs on a daemon thread that ends
 * with the call: at most one for the backlog and one for the store. It is made when a gauge is read, but at most once
 * in {@link Builder#refreshInterval}. Nothing calls the store if no gauge is read. A scrape waits for the answers for
 * at most a second. If an answer is late, the gauges show the last one. After two minutes without an answer, they are
 * {@code NaN}. Meanwhile {@code feedkit.backlog.sample.age} grows.
 *
 * <p>With many engines on one store, set a longer interval: each engine counts the backlog, and one count can take
 * 0.1 s of database time.
 *
 * <p>Two engines in one registry need different {@linkplain Builder#tags tags}, or the gauges of the second are
 * ignored. Engines on the same store report the same backlog: take the maximum, not the sum.
 *
 * <p>Thread-safe. The methods of the listener do not block.
 *
 * @since 0.1.0
 */
@Beta
public final class FeedMetrics implements FeedListener, AutoCloseable {

    /** The default of {@link Builder#refreshInterval}: the usual interval of scrapes. */
    public static final Duration DEFAULT_REFRESH_INTERVAL = Duration.ofSeconds(15);

    private final Meters meters;
    private final Duration refreshInterval;
    private final EventMeters events;
    private final AtomicReference<@Nullable FeedEngine> watched = new AtomicReference<>();
    private final AtomicBoolean watchesCounters = new AtomicBoolean();

    private FeedMetrics(Builder settings) {
        meters = new Meters(settings.registry, settings.tags);
        refreshInterval = settings.refreshInterval;
        events = new EventMeters(meters);
    }

    /**
     * Creates metrics with default settings.
     *
     * @param registry where to record
     * @return the metrics
     * @throws IllegalArgumentException if the registry is null
     */
    public static FeedMetrics create(MeterRegistry registry) {
        return builder(registry).build();
    }

    /**
     * Returns a builder of metrics.
     *
     * @param registry where to record; it belongs to the host
     * @return a builder
     * @throws IllegalArgumentException if the registry is null
     */
    public static Builder builder(MeterRegistry registry) {
        return new Builder(registry);
    }

    /**
     * Adds the gauges of an engine: its backlog and dead letters, whether its store answers, and its live subscribers.
     * Makes no call to the store. After the engine was closed, the gauges are {@code NaN}. Idempotent.
     *
     * @param engine the engine whose listener this is
     * @throws IllegalArgumentException if the engine is null
     * @throws IllegalStateException if this object watches another engine already
     */
    public void watch(FeedEngine engine) {
        nonNull("engine", engine);
        if (watched.compareAndSet(null, engine)) {
            EngineGauges.register(meters, engine, refreshInterval);
        } else if (watched.get() != engine) {
            throw new IllegalStateException("these metrics watch another engine: create one FeedMetrics for each");
        }
    }

    /**
     * Adds the meters of counters that are written behind, such as {@code metrics.watchCounters(store::status)} for a
     * {@code WriteBehindCounterStore}.
     *
     * @param status returns the status without a call to a store, whenever a meter is read
     * @throws IllegalArgumentException if it is null
     * @throws IllegalStateException if this object watches counters already
     */
    public void watchCounters(Supplier<WriteBehindStatus> status) {
        nonNull("status", status);
        if (!watchesCounters.compareAndSet(false, true)) {
            throw new IllegalStateException("these metrics watch counters already: create one FeedMetrics for each");
        }
        CounterMeters.register(meters, status);
    }

    /** Removes all meters of this object from the registry. Does not close the registry. Idempotent. */
    @Override
    public void close() {
        meters.close();
    }

    @Override
    public OperationEnd started(OperationStarted event) {
        return events.started(event);
    }

    @Override
    public void published(PostPublished event) {
        events.published(event);
    }

    @Override
    public void deleted(PostDeleted event) {
        events.deleted();
    }

    @Override
    public void delivered(PostDelivered event) {
        events.delivered(event);
    }

    @Override
    public void taskFinished(TaskFinished event) {
        events.taskFinished(event);
    }

    @Override
    public void taskFailed(TaskFailed event) {
        events.taskFailed(event);
    }

    @Override
    public void read(FeedRead event) {
        events.read(event);
    }

    @Override
    public void cardPartFailed(CardPartFailed event) {
        events.cardPartFailed(event);
    }

    @Override
    public void copied(CopyStep event) {
        events.copied(event);
    }

    @Override
    public void archived(ArchiveStep event) {
        events.archived(event);
    }

    @Override
    public void verified(VerifyReport report) {
        events.verified(report);
    }

    @Override
    public void rebuilt(InboxRebuilt event) {
        events.rebuilt(event);
    }

    @Override
    public void refreshed(InboxRefreshed event) {
        events.refreshed(event);
    }

    @Override
    public void deliveryLossSuspected(DeliveryLossSuspected event) {
        events.deliveryLossSuspected();
    }

    @Override
    public void queueTraffic(QueueTraffic event) {
        events.queueTraffic(event);
    }

    @Override
    public void followChanged(FollowChanged event) {
        events.followChanged(event);
    }

    /** Settings of metrics. Each may be set once. Not thread-safe. */
    public static final class Builder {

        private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
        private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(1);

        private final MeterRegistry registry;
        private final SetOnce given = new SetOnce();
        private Tags tags = Tags.empty();
        private Duration refreshInterval = DEFAULT_REFRESH_INTERVAL;

        private Builder(MeterRegistry registry) {
            this.registry = nonNull("registry", registry);
        }

        /**
         * Sets tags of all meters, such as the name of the engine. Use few different values, and no ids of users.
         *
         * @param tags the tags; none by default
         * @return this builder
         * @throws IllegalArgumentException if the tags are null
         * @throws IllegalStateException if the tags were set before
         */
        public Builder tags(Iterable<Tag> tags) {
            this.tags = given.once("tags", Tags.of(nonNull("tags", tags)));
            return this;
        }

        /**
         * Sets the least time between two calls to the store for gauges.
         *
         * @param refreshInterval a second to a minute; {@link FeedMetrics#DEFAULT_REFRESH_INTERVAL} by default
         * @return this builder
         * @throws IllegalArgumentException if the interval is null or out of range
         * @throws IllegalStateException if the interval was set before
         */
        public Builder refreshInterval(Duration refreshInterval) {
            this.refreshInterval = given.once(
                    "refreshInterval",
                    between("refreshInterval", refreshInterval, SHORTEST_INTERVAL, LONGEST_INTERVAL));
            return this;
        }

        /**
         * Creates the metrics, and the meters of events in the registry.
         *
         * @return the metrics
         */
        public FeedMetrics build() {
            return new FeedMetrics(this);
        }
    }
}
