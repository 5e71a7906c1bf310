package io.feedkit.testservers.survival;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that repeat a task until they are ended. Used by one thread, except for {@link #goOn()}. */
public final class Threads implements AutoCloseable {

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final List<Future<?>> work = new ArrayList<>();
    private volatile boolean enough;

    /** Creates an object without threads. */
    public Threads() {}

    /**
     * Starts one more thread.
     *
     * @param task its work; it must return when {@link #goOn()} is false
     */
    public void start(Runnable task) {
        work.add(pool.submit(task));
    }

    /**
     * Returns whether the threads should continue.
     *
     * @return true if they should
     */
    public boolean goOn() {
        return !enough;
    }

    /**
     * Waits until all threads have finished their present work.
     *
     * @throws InterruptedException if the caller is interrupted
     * @throws ExecutionException if one of them failed
     */
    public void finish() throws InterruptedException, ExecutionException {
        enough = true;
        for (Future<?> each : work) {
            each.get();
        }
    }

    /** Interrupts the threads that are still running, and waits for their end. */
    @Override
    public void close() {
        enough = true;
        pool.shutdownNow();
        await("threads have ended").atMost(Duration.ofSeconds(30)).until(pool::isTerminated);
    }
}
