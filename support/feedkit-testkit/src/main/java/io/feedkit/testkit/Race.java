package io.feedkit.testkit;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that start together. */
final class Race {

    private static final int TIMEOUT_SECONDS = 60;

    private Race() {}

    /** What one thread does. */
    interface Runner<T> {
        T run(int thread) throws Exception;
    }

    /** One of many steps, or looks. */
    interface Step {
        void run(int number) throws Exception;
    }

    /**
     * Takes steps in one thread while another looks. Each look lets the steps get a few further, and every other look waits until they have
     * begun, so that neither thread is over before the other has begun, however they are scheduled.
     *
     * @param looks how often to look
     * @param stepsPerLook how many steps to take for each look
     * @param step a step; numbers begin at 0
     * @param look a look; numbers begin at 0
     */
    static void beside(int looks, int stepsPerLook, Step step, Step look) {
        Semaphore due = new Semaphore(0);
        Semaphore begun = new Semaphore(0);
        run(2, thread -> {
            if (thread == 0) {
                takeSteps(looks * stepsPerLook, stepsPerLook * 2, due, begun, step);
            } else {
                takeLooks(looks, stepsPerLook, due, begun, look);
            }
            return true;
        });
    }

    private static void takeSteps(int steps, int announced, Semaphore due, Semaphore begun, Step step)
            throws Exception {
        try {
            for (int i = 0; i < steps; i++) {
                due.acquire();
                if (i % announced == 0) {
                    begun.release();
                }
                step.run(i);
            }
        } finally {
            begun.release(steps);
        }
    }

    private static void takeLooks(int looks, int stepsPerLook, Semaphore due, Semaphore begun, Step look)
            throws Exception {
        try {
            for (int i = 0; i < looks; i++) {
                due.release(stepsPerLook);
                if (i % 2 == 0) {
                    begun.acquire();
                }
                look.run(i);
            }
        } finally {
            due.release(looks * stepsPerLook);
        }
    }

    /**
     * Runs all threads to their ends.
     *
     * @return what each thread returned; the first failure of a thread becomes the failure of the race
     */
    static <T> List<T> run(int threads, Runner<T> runner) {
        boolean together = threads <= Runtime.getRuntime().availableProcessors();
        AtomicInteger awake = new AtomicInteger();
        AtomicInteger number = new AtomicInteger();
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService executor = Executors.newFixedThreadPool(
                threads, runnable -> new Thread(runnable, "racer-" + number.incrementAndGet()));
        try {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                running.add(executor.submit(() -> {
                    start.await(TIMEOUT_SECONDS, SECONDS);
                    // The last to arrive would be off before the others wake up.
                    awake.incrementAndGet();
                    while (together && awake.get() < threads) {
                        Thread.onSpinWait();
                    }
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
