package io.feedkit.internal.live;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads on which subscribers are called, unless the host gives an executor: a virtual thread for each turn where
 * the JDK has them, otherwise a pool of daemon threads that end when they are idle.
 */
final class LiveThreads {

    private static final int FEWEST = 16;
    private static final int IDLE_SECONDS = 10;

    private LiveThreads() {}

    static Executor create(String engine) {
        try {
            // Not in JDK 17.
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) {
            return pool(engine);
        }
    }

    private static Executor pool(String engine) {
        AtomicInteger numbers = new AtomicInteger();
        int threads = Math.max(FEWEST, 4 * Runtime.getRuntime().availableProcessors());
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, SECONDS, new LinkedBlockingQueue<>(), turn -> {
                    Thread thread = new Thread(turn, engine + "-live-" + numbers.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
