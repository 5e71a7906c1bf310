package io.feedkit.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the wall-clock time of an operation, including work in the server's processes, by repeating it for a while.
 * Used by one thread.
 */
public record Clocked(Duration window) {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final int AT_LEAST = 3;

    public static Clocked of(Scale scale) {
        return new Clocked(scale.window());
    }

    /** The median time of one operation. */
    public double millis(Runnable operation) {
        List<Double> times = new ArrayList<>();
        long end = System.nanoTime() + window.toNanos();
        do {
            times.add(once(operation));
        } while (times.size() < AT_LEAST || System.nanoTime() < end);
        return Rounds.median(times);
    }

    public static double once(Runnable operation) {
        long start = System.nanoTime();
        operation.run();
        return (System.nanoTime() - start) / NANOS_PER_MILLI;
    }
}
