package io.feedkit.bench.copies;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.HdrHistogram.Histogram;

/** Times of two kinds of reads, which are taken in turns. Used by one thread. */
final class ReadTimes {

    private static final int WARM_UPS = 20;
    private static final int LEAST_READS = 30;
    private static final int DIGITS = 3;
    private static final double NANOS_A_MILLI = 1e6;
    private static final double LEAST_MILLIS = 0.001;

    private final Histogram value = new Histogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
    private final Histogram baseline = new Histogram(TimeUnit.MINUTES.toNanos(1), DIGITS);

    private ReadTimes() {}

    /**
     * Reads again and again.
     *
     * @param window how long
     * @param value reads for a number, counted from 0
     * @param baseline the comparison
     */
    static ReadTimes of(Duration window, IntConsumer value, IntConsumer baseline) {
        for (int i = 0; i < WARM_UPS; i++) {
            value.accept(i);
            baseline.accept(i);
        }
        ReadTimes times = new ReadTimes();
        long start = System.nanoTime();
        for (int i = 0; i < LEAST_READS || System.nanoTime() - start < window.toNanos(); i++) {
            take(times.value, value, i);
            take(times.baseline, baseline, i);
        }
        return times;
    }

    private static void take(Histogram times, IntConsumer read, int number) {
        long start = System.nanoTime();
        read.accept(number);
        times.recordValue(System.nanoTime() - start);
    }

    double value(double percentile) {
        return millis(value, percentile);
    }

    double baseline(double percentile) {
        return millis(baseline, percentile);
    }

    private static double millis(Histogram times, double percentile) {
        return Math.max(LEAST_MILLIS, times.getValueAtPercentile(percentile) / NANOS_A_MILLI);
    }
}
