package io.feedkit.bench.production;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Target;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * Percentiles in milliseconds.
 *
 * @param p50 the median
 * @param p99 the 99th percentile
 */
record Latency(double p50, double p99) {

    private static final double MEDIAN = 50;
    private static final double HIGH = 99;
    private static final double NANOS_A_MILLI = 1e6;
    private static final double LEAST = 0.001;

    /** The percentiles of nanoseconds. */
    static Latency of(Histogram nanos) {
        return new Latency(at(nanos, MEDIAN), at(nanos, HIGH));
    }

    private static double at(Histogram nanos, double percentile) {
        return Math.max(LEAST, nanos.getValueAtPercentile(percentile) / NANOS_A_MILLI);
    }

    /** One figure for each percentile: the medians of many rounds. */
    static List<Figure> figures(
            String what, String against, List<Latency> values, List<Latency> baselines, Target p50, Target p99) {
        return List.of(
                figure(what + ", p50 (against " + against + ")", values, baselines, Latency::p50, p50),
                figure(what + ", p99 (against " + against + ")", values, baselines, Latency::p99, p99));
    }

    private static Figure figure(
            String name,
            List<Latency> values,
            List<Latency> baselines,
            ToDoubleFunction<Latency> percentile,
            Target target) {
        Medians medians = new Medians(median(values, percentile), median(baselines, percentile));
        return Figure.of(name, "ms", medians, target);
    }

    private static double median(List<Latency> latencies, ToDoubleFunction<Latency> percentile) {
        return Rounds.median(latencies.stream().mapToDouble(percentile).boxed().toList());
    }
}
