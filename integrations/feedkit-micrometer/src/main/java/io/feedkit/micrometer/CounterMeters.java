package io.feedkit.micrometer;

import io.feedkit.counter.WriteBehindStatus;
import java.util.function.Supplier;

/** The meters of counters that are written behind. */
final class CounterMeters {

    private CounterMeters() {}

    /** Registers the meters. The gauges among them keep the supplier from being collected. */
    static void register(Meters meters, Supplier<WriteBehindStatus> status) {
        meters.counted(
                "feedkit.counter.writes",
                "Counters that were written to the source of truth",
                status,
                latest -> latest.get().written());
        meters.counted(
                "feedkit.counter.flush.failures",
                "Flushes of counters that failed",
                status,
                latest -> latest.get().failures());
        meters.time(
                "feedkit.counter.unwritten.age",
                "Greatest age of an unwritten change of a counter",
                () -> status.get().age().toNanos());
        meters.state(
                "feedkit.counter.cache.up",
                "Whether the cache of counters answers",
                () -> status.get().cacheReachable() ? 1 : 0);
    }
}
