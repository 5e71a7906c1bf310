package io.feedkit.testkit;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Threads that start together. */
final class Race {

    private static final int TIMEOUT_SECONDS = 60;

    private Race() {}

    /** What one thread does while another works. */
    interface Observer<T> {
        /**
         * Observes, and one last time after the work is over.
         *
         * @param over says whether the other thread is done
         */
        T run(BooleanSupplier over) throws Exception;
    }

    /** What one thread does. */
    interface Runner<T> {
        T run(int thread) throws Exception;
    }

    /** Runs some work, and beside it an observer, and returns what the observer found. */
    static <T> T runBeside(Runnable work, Observer<T> observer) {
        AtomicBoolean over = new AtomicBoolean();
        List<Optional<T>> results = run(2, thread -> {
            if (thread == 1) {
                return Optional.of(observer.run(over::get));
            }
            try {
                work.run();
            } finally {
                over.set(true);
            }
            return Optional.empty();
        });
        return results.get(1).orElseThrow();
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
