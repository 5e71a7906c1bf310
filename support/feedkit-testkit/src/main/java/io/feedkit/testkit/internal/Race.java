package io.feedkit.testkit.internal;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that start together. */
public final class Race {

    private static final int TIMEOUT_SECONDS = 60;

    private Race() {}

    /** The work of one thread. */
    public interface Runner<T> {
        T run(int thread) throws Exception;
    }

    /** One step, or one look. */
    public interface Action {
        void run(int number) throws Exception;
    }

    /**
     * Takes steps in one thread while another thread looks. The threads meet before each look, so that neither gets far
     * ahead of the other under any scheduling.
     *
     * @param looks how often to look
     * @param stepsPerLook how many steps to take beside each look
     * @param step a step; numbers begin at 0
     * @param look a look; numbers begin at 0
     */
    public static void beside(int looks, int stepsPerLook, Action step, Action look) {
        AtomicInteger arrived = new AtomicInteger();
        AtomicBoolean broken = new AtomicBoolean();
        run(2, thread -> {
            boolean done = false;
            try {
                for (int round = 0; round < looks && meet(arrived, 2 * round + 2, broken); round++) {
                    if (thread == 1) {
                        look.run(round);
                        continue;
                    }
                    for (int i = 0; i < stepsPerLook; i++) {
                        step.run(round * stepsPerLook + i);
                    }
                }
                done = true;
            } finally {
                broken.compareAndSet(false, !done);
            }
            return true;
        });
    }

    /**
     * Waits for the other threads without sleeping. A sleeping thread would start late, and the slowest thread, which
     * arrives last, should start first.
     *
     * @return false if the others will not come
     */
    @SuppressWarnings("ThreadPriorityCheck") // so that the other threads can arrive on a machine with few processors
    private static boolean meet(AtomicInteger arrived, int expected, AtomicBoolean broken) {
        arrived.incrementAndGet();
        while (arrived.get() < expected) {
            if (broken.get()) {
                return false;
            }
            Thread.yield();
        }
        return true;
    }

    /**
     * Runs all threads to their ends.
     *
     * @return what each thread returned; the first failure of a thread becomes the failure of the race
     */
    public static <T> List<T> run(int threads, Runner<T> runner) {
        AtomicInteger awake = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
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
                    // Without this, the last thread to arrive would start before the others wake up.
                    meet(awake, threads, over);
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
            over.set(true);
            executor.shutdownNow();
        }
    }
}
