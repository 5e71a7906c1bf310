package io.feedkit.internal.host;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives each call to the host's code a thread of its own, so that the caller need not wait for its end. Threads are
 * virtual from JDK 21 on. Before, they are daemon threads, which are used again and end after some idle seconds.
 * Thread-safe.
 */
public final class CallThreads implements Executor, AutoCloseable {

    /** The most calls at once on platform threads. Further calls are refused, because each thread takes memory. */
    static final int MOST_PLATFORM_THREADS = 1000;

    private static final int FIRST_JDK_WITH_VIRTUAL_THREADS = 21;
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor platform;
    private final Optional<ThreadFactory> virtual;

    /**
     * @param name the beginning of the threads' names
     */
    public CallThreads(String name) {
        AtomicInteger number = new AtomicInteger();
        virtual = virtualThreads(name);
        platform = new ThreadPoolExecutor(
                0, MOST_PLATFORM_THREADS, IDLE_SECONDS, SECONDS, new SynchronousQueue<>(), call -> {
                    Thread thread = new Thread(call, name + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** A factory of virtual threads, found by reflection because the code is compiled for JDK 17. */
    private static Optional<ThreadFactory> virtualThreads(String name) {
        if (Runtime.version().feature() < FIRST_JDK_WITH_VIRTUAL_THREADS) {
            return Optional.empty();
        }
        try {
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Object named = type.getMethod("name", String.class, long.class).invoke(builder, name + "-", 1L);
            return Optional.of((ThreadFactory) type.getMethod("factory").invoke(named));
        } catch (ReflectiveOperationException e) {
            return Optional.empty();
        }
    }

    @Override
    public void execute(Runnable call) {
        if (virtual.isPresent()) {
            virtual.get().newThread(call).start();
        } else {
            platform.execute(call);
        }
    }

    /** Ends the idle threads at once, and the others after their call. */
    @Override
    public void close() {
        platform.shutdown();
    }
}
