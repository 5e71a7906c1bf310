package io.feedkit.internal.host;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A separate daemon thread for calls to a store that a caller must not wait for. It runs them one after the other, and
 * ends when it has been idle for some seconds. Thread-safe.
 */
public final class IdlingThread implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(IdlingThread.class);

    private static final long IDLE_SECONDS = 10;

    private final String name;
    private final Duration lease;
    private final ThreadPoolExecutor executor;
    private volatile boolean closed;

    /**
     * @param purpose what the thread does, for its name
     * @param mostWaiting how many calls may wait for the thread
     */
    public IdlingThread(EngineSettings settings, String purpose, int mostWaiting) {
        name = settings.name() + "-" + purpose;
        lease = settings.fanout().tasks().lease();
        executor = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, SECONDS, new LinkedBlockingQueue<>(mostWaiting), call -> {
            Thread thread = new Thread(call, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs a call on the thread.
     *
     * @return its outcome
     * @throws RejectedExecutionException if too many calls wait, or the thread was closed
     */
    public Future<?> submit(Runnable call) {
        return executor.submit(() -> {
            if (!closed) {
                call.run();
            }
        });
    }

    /** Drops the queued calls, and waits for the call under way, but no longer than the lease. */
    @Override
    public void close() {
        closed = true;
        executor.shutdown();
        long end = System.nanoTime() + lease.toNanos();
        boolean interrupted = false;
        for (long left = lease.toNanos(); !executor.isTerminated() && left > 0; left = end - System.nanoTime()) {
            try {
                boolean unused = executor.awaitTermination(left, NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!executor.isTerminated()) {
            log.warn("closed after waiting {} for the thread {}: it hangs in the store", lease, name);
        }
    }
}
