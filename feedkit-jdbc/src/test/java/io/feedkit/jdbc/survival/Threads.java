package io.feedkit.jdbc.survival;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that do something over and over until it is enough. */
final class Threads implements AutoCloseable {

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final List<Future<?>> work = new ArrayList<>();
    private volatile boolean enough;

    void start(Runnable task) {
        work.add(pool.submit(task));
    }

    /** Whether they are to go on. */
    boolean goOn() {
        return !enough;
    }

    /** Lets them finish what they are at; fails if one of them did. */
    void finish() throws InterruptedException, ExecutionException {
        enough = true;
        for (Future<?> each : work) {
            each.get();
        }
    }

    @Override
    public void close() {
        enough = true;
        pool.shutdownNow();
        await().atMost(Duration.ofSeconds(30)).until(pool::isTerminated);
    }
}
