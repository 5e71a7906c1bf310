package io.feedkit.counter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Work that is done once for all threads that need it at the same time. A thread does its own share before it waits for
 * others, so no two threads wait for each other. Thread-safe.
 */
final class SharedWork<K> {

    private final Map<K, CompletableFuture<Boolean>> running = new ConcurrentHashMap<>();

    /**
     * Returns when the work is done for all keys. This call does the work for the keys that no other thread works on,
     * and waits for the other keys.
     *
     * @throws RuntimeException the exception of the work, in this call or in another one for one of the keys
     */
    void share(Collection<K> keys, Consumer<List<K>> work) {
        Map<K, CompletableFuture<Boolean>> own = new LinkedHashMap<>();
        List<CompletableFuture<Boolean>> others = new ArrayList<>();
        for (K key : keys) {
            CompletableFuture<Boolean> mine = new CompletableFuture<>();
            CompletableFuture<Boolean> there = running.putIfAbsent(key, mine);
            if (there == null) {
                own.put(key, mine);
            } else {
                others.add(there);
            }
        }
        if (!own.isEmpty()) {
            run(own, work);
        }
        for (CompletableFuture<Boolean> other : others) {
            join(other);
        }
    }

    private void run(Map<K, CompletableFuture<Boolean>> own, Consumer<List<K>> work) {
        try {
            work.accept(List.copyOf(own.keySet()));
            own.values().forEach(each -> each.complete(true));
        } catch (Throwable failure) {
            own.values().forEach(each -> each.completeExceptionally(failure));
            throw failure;
        } finally {
            own.forEach(running::remove);
        }
    }

    private static void join(CompletableFuture<Boolean> other) {
        try {
            Boolean unused = other.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw e;
        }
    }
}
