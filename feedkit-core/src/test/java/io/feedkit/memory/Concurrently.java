package io.feedkit.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Runs the same work in several threads that start together. */
final class Concurrently {

    private Concurrently() {}

    static <T> List<T> run(int threads, IntFunction<T> work) throws Exception {
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<T>> tasks = IntStream.range(0, threads)
                    .<Callable<T>>mapToObj(thread -> () -> {
                        start.await(10, TimeUnit.SECONDS);
                        return work.apply(thread);
                    })
                    .toList();
            List<T> results = new ArrayList<>();
            for (Future<T> result : executor.invokeAll(tasks, 60, TimeUnit.SECONDS)) {
                results.add(result.get());
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }
}
