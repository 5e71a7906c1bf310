package io.feedkit.bench.redis.ground;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Threads that call the same for a while.
 *
 * @param threads how many
 * @param window how long
 */
public record Callers(int threads, Duration window) {

    /** Calls a second, of all together. */
    public double perSecond(Consumer<SplittableRandom> operation) {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            long start = System.nanoTime();
            List<Future<Long>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                SplittableRandom chance = new SplittableRandom(i);
                running.add(executor.submit(() -> {
                    long calls = 0;
                    while (System.nanoTime() - start < window.toNanos()) {
                        operation.accept(chance);
                        calls++;
                    }
                    return calls;
                }));
            }
            long calls = 0;
            for (Future<Long> one : running) {
                calls += one.get();
            }
            return calls * 1e9 / (System.nanoTime() - start);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a call failed", e);
        } finally {
            executor.shutdown();
        }
    }
}
