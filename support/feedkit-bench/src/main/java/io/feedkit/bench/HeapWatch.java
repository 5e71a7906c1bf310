package io.feedkit.bench;

import java.util.concurrent.TimeUnit;

/**
 * Measures the used heap: the peak over a time, sampled every five milliseconds, or the live data after a collection.
 * Used by one thread.
 */
public final class HeapWatch {

    private static final double MEGABYTE = 1 << 20;
    private static final long SAMPLE_MILLIS = 5;
    private static final int COLLECTIONS = 3;

    private volatile boolean watching;
    private volatile long peak;
    private Thread thread = new Thread(this::watch, "heap-watch");

    /** Starts watching. */
    public void start() {
        peak = 0;
        watching = true;
        thread = new Thread(this::watch, "heap-watch");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Stops watching.
     *
     * @return the peak in megabytes
     */
    public double stop() {
        watching = false;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return peak / MEGABYTE;
    }

    private void watch() {
        do {
            peak = Math.max(peak, used());
            pause(SAMPLE_MILLIS);
        } while (watching);
    }

    /**
     * Collects garbage.
     *
     * @return the live data, in bytes
     */
    public static long liveBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            pause(SAMPLE_MILLIS);
            least = Math.min(least, used());
        }
        return least;
    }

    /**
     * Collects garbage.
     *
     * @return the live data, in megabytes
     */
    public static double liveMegabytes() {
        return liveBytes() / MEGABYTE;
    }

    /**
     * Waits.
     *
     * @param millis how long; less if interrupted
     */
    public static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
