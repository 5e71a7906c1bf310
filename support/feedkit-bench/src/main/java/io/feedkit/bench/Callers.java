package io.feedkit.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;

/**
 * Threads that do the same at once.
 *
 * @param threads how many
 * @param window how long they run if nothing else ends them
 */
public record Callers(int threads, Duration window) {

    /** The calls a second of all threads together. Each thread calls at least once, however short the window. */
    public double perSecond(Consumer<SplittableRandom> operation) {
        long start = System.nanoTime();
        long calls = together(seed -> {
            SplittableRandom chance = new SplittableRandom(seed);
            long own = 0;
            do {
                operation.accept(chance);
                own++;
            } while (System.nanoTime() - start < window.toNanos());
            return own;
        });
        return calls * 1e9 / (System.nanoTime() - start);
    }

    /** Calls once for each item. */
    public <T> void forEach(List<T> items, Consumer<T> operation) {
        AtomicInteger next = new AtomicInteger();
        together(seed -> {
            long own = 0;
            for (int i = next.getAndIncrement(); i < items.size(); i = next.getAndIncrement()) {
                operation.accept(items.get(i));
                own++;
            }
            return own;
        });
    }

    private long together(IntToLongFunction calls) {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Long>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int seed = i;
                running.add(executor.submit(() -> calls.applyAsLong(seed)));
            }
            long all = 0;
            for (Future<Long> one : running) {
                all += one.get();
            }
            return all;
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
