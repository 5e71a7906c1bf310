package io.feedkit.spring.actuate;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A call that may hang. It runs on a daemon thread, and at most once at a time. Thread-safe. */
final class BoundedCall<T> {

    private final String name;
    private final Supplier<T> call;
    private @Nullable CompletableFuture<T> running;

    BoundedCall(String name, Supplier<T> call) {
        this.name = name;
        this.call = call;
    }

    /** Waits for the answer of a call that was started. Throws what the call throws. */
    T await(CompletableFuture<T> started, Duration limit) throws TimeoutException {
        try {
            return started.get(Math.max(1, limit.toNanos()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TimeoutException("interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new CompletionException(e.getCause());
        }
    }

    /** Starts the call, or returns the one that is under way. */
    synchronized CompletableFuture<T> start() {
        CompletableFuture<T> earlier = running;
        if (earlier != null && !earlier.isDone()) {
            return earlier;
        }
        CompletableFuture<T> next = new CompletableFuture<>();
        Thread thread = new Thread(() -> answer(next), name);
        thread.setDaemon(true);
        thread.start();
        running = next;
        return next;
    }

    private void answer(CompletableFuture<T> next) {
        try {
            next.complete(call.get());
        } catch (Throwable e) {
            next.completeExceptionally(e);
        }
    }
}
