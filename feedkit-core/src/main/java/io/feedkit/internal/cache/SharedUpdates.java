package io.feedkit.internal.cache;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Lets threads share updates. A thread that needs an update waits for one that begins after its call. One thread at a
 * time runs an update, for all threads that wait at its beginning. If the update fails, all threads that are waiting by
 * then fail with the same failure. Otherwise each of them would wait once more for a store that cannot be reached.
 * Thread-safe.
 *
 * <p>The first thread of a batch runs the update, and only this thread waits for the lock. The others continue as soon
 * as the update has ended, even if another batch has the lock by then.
 */
final class SharedUpdates {

    /** One thread's request for an update. */
    private record Waiting(Set<String> authors, BooleanSupplier needed) {}

    /** Threads that share an update. */
    private static final class Batch {
        private final List<Waiting> waiting = new ArrayList<>();
        private final CompletableFuture<Optional<RuntimeException>> failure = new CompletableFuture<>();
    }

    /** The thread that ran an update was interrupted. */
    private static final class UpdateInterrupted extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final Consumer<Collection<Set<String>>> update;
    private final ReentrantLock updating = new ReentrantLock();
    private final ReentrantLock queueing = new ReentrantLock();
    private Batch next = new Batch();

    /** Shares updates; each update covers several sets of authors. */
    SharedUpdates(Consumer<Collection<Set<String>>> update) {
        this.update = update;
    }

    /**
     * Waits for an update about these authors that begins after this call began.
     *
     * @param needed whether an update is still needed when it is the batch's turn to run one
     */
    void await(Set<String> authors, BooleanSupplier needed) {
        Waiting question = new Waiting(authors, needed);
        boolean answered;
        do {
            // Repeated if the thread that ran the update was interrupted: the other threads must not fail for that.
            answered = isAnswered(question);
        } while (!answered);
    }

    /** Takes part in one batch. Returns false if the thread that ran the update was interrupted. */
    private boolean isAnswered(Waiting question) {
        Batch mine;
        boolean first;
        queueing.lock();
        try {
            mine = next;
            first = mine.waiting.isEmpty();
            mine.waiting.add(question);
        } finally {
            queueing.unlock();
        }
        if (first) {
            lead(mine);
        }
        Optional<RuntimeException> failure = mine.failure.join();
        if (failure.isPresent() && !(failure.get() instanceof UpdateInterrupted)) {
            throw failure.get();
        }
        return failure.isEmpty();
    }

    private void lead(Batch mine) {
        try {
            updating.lock();
            try {
                if (!mine.failure.isDone()) {
                    close();
                    run(mine);
                }
            } finally {
                updating.unlock();
            }
        } catch (Throwable e) {
            // The batch ends even if this thread failed before the update. Otherwise other threads would join it, and
            // wait forever.
            fail(mine, failure(e));
            throw e;
        }
    }

    private static Optional<RuntimeException> failure(Throwable e) {
        return Optional.of(e instanceof RuntimeException unchecked ? unchecked : new UndeclaredThrowableException(e));
    }

    private void fail(Batch batch, Optional<RuntimeException> failure) {
        queueing.lock();
        try {
            if (next == batch) {
                next = new Batch();
            }
        } finally {
            queueing.unlock();
        }
        batch.failure.complete(failure);
    }

    /** Closes the next batch: no more threads join it. */
    private Batch close() {
        queueing.lock();
        try {
            Batch closed = next;
            next = new Batch();
            return closed;
        } finally {
            queueing.unlock();
        }
    }

    private void run(Batch batch) {
        try {
            if (batch.waiting.stream().anyMatch(each -> each.needed().getAsBoolean())) {
                update.accept(batch.waiting.stream().map(Waiting::authors).toList());
            }
            batch.failure.complete(Optional.empty());
        } catch (Throwable e) {
            if (Thread.currentThread().isInterrupted()) {
                batch.failure.complete(Optional.of(new UpdateInterrupted()));
                throw e;
            }
            Optional<RuntimeException> failure = failure(e);
            batch.failure.complete(failure);
            close().failure.complete(failure);
            throw e;
        }
    }

    /** How many threads wait for the next update. */
    int waiting() {
        queueing.lock();
        try {
            return next.waiting.size();
        } finally {
            queueing.unlock();
        }
    }
}
