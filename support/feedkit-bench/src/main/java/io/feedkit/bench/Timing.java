package io.feedkit.bench;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Times short operations by repeating them for a while. Used by one thread. */
public final class Timing {

    private static final int BATCH = 16;

    private final long windowNanos;
    private final AtomicReference<Object> sink = new AtomicReference<>();

    private Timing(long windowNanos) {
        this.windowNanos = windowNanos;
    }

    /**
     * Times operations for as long as a scale says.
     *
     * @param scale how long
     * @return a stop-watch
     */
    public static Timing of(Scale scale) {
        return new Timing(scale.window().toNanos());
    }

    /**
     * The time of one operation.
     *
     * @param operation what to repeat; what it returns is kept from being optimised away
     * @return nanoseconds
     */
    public double nanos(Supplier<?> operation) {
        long start = System.nanoTime();
        long operations = 0;
        long elapsed;
        do {
            for (int i = 0; i < BATCH; i++) {
                sink.lazySet(operation.get());
            }
            operations += BATCH;
            elapsed = System.nanoTime() - start;
        } while (elapsed < windowNanos);
        return (double) elapsed / operations;
    }

    /**
     * How often an operation can be done.
     *
     * @param operation what to repeat
     * @return times a second
     */
    public double perSecond(Supplier<?> operation) {
        return 1e9 / nanos(operation);
    }
}
