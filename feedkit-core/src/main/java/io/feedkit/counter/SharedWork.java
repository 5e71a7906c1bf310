package io.feedkit.counter;

import io.feedkit.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Work that is done once for all threads that need it at the same time. A thread does its own share before it waits for
 * others, so no two threads wait for each other. Thread-safe.
 */
final class SharedWork<K> {

    private final Map<K, CompletableFuture<Optional<Throwable>>> running = new ConcurrentHashMap<>();

    private final String operation;
    private final Duration longestWait;

    /**
     * Work for an operation.
     *
     * @param longestWait how long a thread waits for others
     */
    SharedWork(String operation, Duration longestWait) {
        this.operation = operation;
        this.longestWait = longestWait;
    }

    /**
     * Returns when the work is done for all keys. This call does the work for the keys that no other thread works on,
     * and waits for the other keys.
     *
     * @throws RuntimeException the exception of the work, in this call or in another one for one of the keys
     * @throws StoreUnavailableException if another thread did not finish in time, or this thread was interrupted
     */
    void share(Collection<K> keys, Consumer<List<K>> work) {
        Map<K, CompletableFuture<Optional<Throwable>>> own = new LinkedHashMap<>();
        List<CompletableFuture<Optional<Throwable>>> others = new ArrayList<>();
        for (K key : keys) {
            CompletableFuture<Optional<Throwable>> mine = new CompletableFuture<>();
            CompletableFuture<Optional<Throwable>> there = running.putIfAbsent(key, mine);
            if (there == null) {
                own.put(key, mine);
            } else {
                others.add(there);
            }
        }
        if (!own.isEmpty()) {
            run(own, work);
        }
        long until = System.nanoTime() + longestWait.toNanos();
        for (CompletableFuture<Optional<Throwable>> other : others) {
            await(other, until - System.nanoTime());
        }
    }

    private void run(Map<K, CompletableFuture<Optional<Throwable>>> own, Consumer<List<K>> work) {
        try {
            work.accept(List.copyOf(own.keySet()));
            own.values().forEach(each -> each.complete(Optional.empty()));
        } catch (Throwable failure) {
            own.values().forEach(each -> each.complete(Optional.of(failure)));
            throw failure;
        } finally {
            own.forEach(running::remove);
        }
    }

    private void await(CompletableFuture<Optional<Throwable>> other, long nanos) {
        Optional<Throwable> failure;
        try {
            failure = other.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new StoreUnavailableException(
                    operation,
                    new IllegalStateException(
                            "another thread has not finished the same work within " + longestWait, e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException(operation, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        if (failure.isPresent()) {
            if (failure.get() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (failure.get() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(failure.get().getClass().getName(), failure.get());
        }
    }
}
