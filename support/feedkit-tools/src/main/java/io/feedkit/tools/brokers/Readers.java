package io.feedkit.tools.brokers;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Threads that do the same action for many readers. */
final class Readers implements AutoCloseable {

    static final int THREADS = 8;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /** Does an action for each reader, and returns when all are done. */
    void forEach(List<String> readers, Consumer<String> action) {
        List<? extends Future<?>> parts = IntStream.range(0, THREADS)
                .mapToObj(part -> threads.submit(() -> {
                    for (int i = part; i < readers.size(); i += THREADS) {
                        action.accept(readers.get(i));
                    }
                }))
                .toList();
        parts.forEach(Readers::await);
    }

    private static void await(Future<?> part) {
        try {
            part.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading feeds", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a feed cannot be read: " + e.getCause(), e.getCause());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
