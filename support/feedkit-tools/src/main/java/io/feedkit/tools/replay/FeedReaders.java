package io.feedkit.tools.replay;

import io.feedkit.Post;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that read many feeds in parallel and pass on the results in order. */
final class FeedReaders implements AutoCloseable {

    private static final int READERS_PER_TASK = 64;

    /** Reads one reader's feed. */
    @FunctionalInterface
    interface Reading {
        /** Returns the posts, newest first. */
        List<Post> read(long reader);
    }

    /** Receives the feeds. */
    @FunctionalInterface
    interface FeedConsumer {
        /** Receives a reader's feed. */
        void accept(long reader, List<Post> feed);
    }

    private final ExecutorService threads;

    FeedReaders(int threads) {
        this.threads = Executors.newFixedThreadPool(threads);
    }

    /** Reads the feeds of all readers. The calling thread passes them on in the order of the readers. */
    void readAll(List<Long> readers, Reading reading, FeedConsumer consumer) {
        List<Future<List<List<Post>>>> parts = new ArrayList<>();
        for (int i = 0; i < readers.size(); i += READERS_PER_TASK) {
            List<Long> part = readers.subList(i, Math.min(readers.size(), i + READERS_PER_TASK));
            parts.add(threads.submit(() -> part.stream().map(reading::read).toList()));
        }
        int next = 0;
        for (int i = 0; i < parts.size(); i++) {
            for (List<Post> feed : await(parts.get(i))) {
                consumer.accept(readers.get(next++), feed);
            }
            parts.set(i, null);
        }
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.get();
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
