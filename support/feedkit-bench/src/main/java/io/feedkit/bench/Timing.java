package io.feedkit.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Times short operations by repeating them for a while. It measures the processor time of the calling thread. Unlike
 * wall-clock time, this excludes other programs on the machine and the garbage collector's own threads. Used by one
 * thread.
 */
public final class Timing {

    private static final int BATCH = 16;

    private static final int MAX_SLOWDOWN = 10;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long windowNanos;
    private final AtomicReference<Object> sink = new AtomicReference<>();

    private Timing(long windowNanos) {
        this.windowNanos = windowNanos;
    }

    /**
     * Times operations for the window of a scale.
     *
     * @param scale the scale
     * @return a stop-watch
     */
    public static Timing of(Scale scale) {
        return new Timing(scale.window().toNanos());
    }

    /**
     * The time of one operation.
     *
     * @param operation what to repeat; its result protects it from being optimised away
     * @return nanoseconds of processor time
     */
    public double nanos(Supplier<?> operation) {
        long start = System.nanoTime();
        long cpuStart = threads.getCurrentThreadCpuTime();
        long operations = 0;
        long elapsed;
        do {
            for (int i = 0; i < BATCH; i++) {
                sink.lazySet(operation.get());
            }
            operations += BATCH;
            elapsed = System.nanoTime() - start;
        } while (elapsed < windowNanos || (elapsed < windowNanos * MAX_SLOWDOWN && cpuSince(cpuStart) < windowNanos));
        return (double) cpuSince(cpuStart) / operations;
    }

    private long cpuSince(long start) {
        return threads.getCurrentThreadCpuTime() - start;
    }

    /**
     * The rate of an operation.
     *
     * @param operation what to repeat
     * @return times a second of processor time
     */
    public double perSecond(Supplier<?> operation) {
        return 1e9 / nanos(operation);
    }
}
