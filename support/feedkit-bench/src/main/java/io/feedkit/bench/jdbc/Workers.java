package io.feedkit.bench.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/** Threads that repeat the same step until nothing is left to do. */
final class Workers {

    private Workers() {}

    /**
     * Runs the threads to their end.
     *
     * @param step returns whether there was anything to do
     * @return how many nanoseconds they took together
     */
    static long run(int count, BooleanSupplier step) {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            CountDownLatch begin = new CountDownLatch(1);
            List<Future<Boolean>> ends = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ends.add(threads.submit(() -> {
                    begin.await();
                    boolean more = true;
                    while (more) {
                        more = step.getAsBoolean();
                    }
                    return more;
                }));
            }
            long start = System.nanoTime();
            begin.countDown();
            for (Future<Boolean> end : ends) {
                end.get();
            }
            return System.nanoTime() - start;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while workers were running", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a worker failed", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
