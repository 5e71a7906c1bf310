package io.feedkit.testkit;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;

/** Threads that start together. */
final class Race {

    private static final int TIMEOUT_SECONDS = 60;

    private Race() {}

    /** What one thread does. */
    interface Runner<T> {
        T run(int thread) throws Exception;
    }

    /**
     * Runs all threads to their ends.
     *
     * @return what each thread returned; the first failure of a thread becomes the failure of the race
     */
    static <T> List<T> run(int threads, Runner<T> runner) {
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                running.add(executor.submit(() -> {
                    start.await(TIMEOUT_SECONDS, SECONDS);
                    return runner.run(thread);
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : running) {
                results.add(future.get(TIMEOUT_SECONDS, SECONDS));
            }
            return results;
        } catch (ExecutionException e) {
            throw new AssertionError("a racing thread failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("a racing thread did not end within " + TIMEOUT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while threads raced", e);
        } finally {
            executor.shutdownNow();
        }
    }
}
