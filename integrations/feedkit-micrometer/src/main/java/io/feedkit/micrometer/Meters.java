package io.feedkit.micrometer;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/**
 * The meters of one {@link FeedMetrics}. Names of counts end in their unit, because registries for Prometheus append
 * the unit to other names. Thread-safe.
 */
final class Meters {

    private final MeterRegistry registry;
    private final Tags tags;
    private final Set<Meter.Id> registered = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Meters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
    }

    /** Now, in nanoseconds of no certain origin. */
    long now() {
        return registry.config().clock().monotonicTime();
    }

    Counter counter(String name, String description, String... keyValues) {
        return added(Counter.builder(name)
                .description(description)
                .baseUnit(unit(name))
                .tags(tags.and(keyValues))
                .register(registry));
    }

    Timer timer(String name, String description, Duration[] buckets, String... keyValues) {
        return added(Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(buckets)
                .tags(tags.and(keyValues))
                .register(registry));
    }

    /** A count that goes up and down. */
    void gauge(String name, String description, DoubleSupplier value, String... keyValues) {
        added(Gauge.builder(name, value::getAsDouble)
                .description(description)
                .baseUnit(unit(name))
                .tags(tags.and(keyValues))
                .strongReference(true)
                .register(registry));
    }

    /** A state: 1 or 0. */
    void state(String name, String description, DoubleSupplier value, String... keyValues) {
        added(Gauge.builder(name, value::getAsDouble)
                .description(description)
                .tags(tags.and(keyValues))
                .strongReference(true)
                .register(registry));
    }

    /** A time in nanoseconds, which the registry converts into its own unit. */
    void time(String name, String description, DoubleSupplier nanos, String... keyValues) {
        added(TimeGauge.builder(name, nanos::getAsDouble, TimeUnit.NANOSECONDS)
                .description(description)
                .tags(tags.and(keyValues))
                .strongReference(true)
                .register(registry));
    }

    /**
     * A count that another object keeps. Keep a reference to that object: the registry has only a weak one. If the
     * function fails, the count does not change, because its exception would fail the whole scrape.
     */
    <T> void counted(String name, String description, T counting, ToDoubleFunction<T> count) {
        AtomicReference<Double> last = new AtomicReference<>(0.0);
        ToDoubleFunction<T> guarded = object -> {
            try {
                last.set(count.applyAsDouble(object));
            } catch (RuntimeException e) {
                // The gauges of the same object show it: they are NaN, and the registry logs why.
            }
            return requireNonNull(last.get());
        };
        added(FunctionCounter.builder(name, counting, guarded)
                .description(description)
                .baseUnit(unit(name))
                .tags(tags)
                .register(registry));
    }

    private static String unit(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private <M extends Meter> M added(M meter) {
        registered.add(meter.getId());
        if (closed) {
            remove();
        }
        return meter;
    }

    void close() {
        closed = true;
        remove();
    }

    private void remove() {
        registered.removeIf(id -> {
            registry.remove(id);
            return true;
        });
    }
}
