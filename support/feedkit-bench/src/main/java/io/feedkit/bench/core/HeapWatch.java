package io.feedkit.bench.core;

import java.util.concurrent.TimeUnit;

/** How much of the heap is used: the peak over a time, sampled every five milliseconds, or what is live after a collection. Used by one thread. */
final class HeapWatch {

    private static final double MEGABYTE = 1 << 20;
    private static final long SAMPLE_MILLIS = 5;
    private static final int COLLECTIONS = 3;

    private volatile boolean watching;
    private volatile long peak;
    private Thread thread = new Thread(this::watch, "heap-watch");

    void start() {
        peak = 0;
        watching = true;
        thread = new Thread(this::watch, "heap-watch");
        thread.setDaemon(true);
        thread.start();
    }

    /** Stops watching, and returns the peak in megabytes. */
    double stop() {
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

    /** What is reachable, in bytes. */
    static long liveBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            pause(SAMPLE_MILLIS);
            least = Math.min(least, used());
        }
        return least;
    }

    static double liveMegabytes() {
        return liveBytes() / MEGABYTE;
    }

    static void pause(long millis) {
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
