package io.feedkit.testservers.survival;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that do something over and over until it is enough. Used by one thread, apart from {@link #goOn()}. */
public final class Threads implements AutoCloseable {

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final List<Future<?>> work = new ArrayList<>();
    private volatile boolean enough;

    /** Begins with none. */
    public Threads() {}

    /**
     * Starts one more.
     *
     * @param task what it does, as long as {@link #goOn()}
     */
    public void start(Runnable task) {
        work.add(pool.submit(task));
    }

    /**
     * Whether they are to go on.
     *
     * @return whether they are
     */
    public boolean goOn() {
        return !enough;
    }

    /**
     * Lets them finish what they are at.
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

    /** Interrupts those that are still at it, and waits for their end. */
    @Override
    public void close() {
        enough = true;
        pool.shutdownNow();
        await("threads have ended").atMost(Duration.ofSeconds(30)).until(pool::isTerminated);
    }
}
