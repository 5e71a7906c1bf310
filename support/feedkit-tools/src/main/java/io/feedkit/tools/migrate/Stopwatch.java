package io.feedkit.tools.migrate;

import java.util.concurrent.TimeUnit;

/** Measures the time since its creation. */
final class Stopwatch {

    private final long start = System.nanoTime();

    double seconds() {
        return (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
    }
}
