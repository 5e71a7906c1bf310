package io.feedkit.internal.cache;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets threads share updates. A thread that needs an update waits for one that begins after its call. One thread at a
 * time runs an update, for all threads that wait at its beginning. If the update fails, all threads that wait by then
 * fail with it. Otherwise each of them would wait once more for a store that cannot be reached. Thread-safe.
 */
final class SharedUpdates {

    private static final class Waiting {
        private final Set<String> authors;
        private boolean done;
        private @Nullable RuntimeException failure;

        Waiting(Set<String> authors) {
            this.authors = authors;
        }
    }

    private final Consumer<Collection<Set<String>>> update;
    private final ReentrantLock updating = new ReentrantLock();
    private final ReentrantLock queueing = new ReentrantLock();
    private List<Waiting> queue = new ArrayList<>();

    /** Shares updates; each update covers several sets of authors. */
    SharedUpdates(Consumer<Collection<Set<String>>> update) {
        this.update = update;
    }

    /**
     * Waits for an update about these authors that begins after this call began.
     *
     * @param needed whether an update is still needed when it is this thread's turn to run one
     */
    void await(Set<String> authors, BooleanSupplier needed) {
        Waiting mine = new Waiting(authors);
        enqueue(mine);
        updating.lock();
        try {
            if (!mine.done && needed.getAsBoolean()) {
                run();
            }
            mine.done = true;
        } finally {
            updating.unlock();
        }
        if (mine.failure != null) {
            throw mine.failure;
        }
    }

    private void enqueue(Waiting waiting) {
        queueing.lock();
        try {
            queue.add(waiting);
        } finally {
            queueing.unlock();
        }
    }

    private List<Waiting> takeAll() {
        queueing.lock();
        try {
            List<Waiting> taken = queue;
            queue = new ArrayList<>();
            return taken;
        } finally {
            queueing.unlock();
        }
    }

    private void run() {
        List<Waiting> waiting = takeAll();
        waiting.removeIf(each -> each.done);
        try {
            update.accept(waiting.stream().map(each -> each.authors).toList());
            waiting.forEach(each -> each.done = true);
        } catch (Throwable e) {
            RuntimeException failure =
                    e instanceof RuntimeException unchecked ? unchecked : new UndeclaredThrowableException(e);
            waiting.addAll(takeAll());
            waiting.forEach(each -> {
                each.done = true;
                each.failure = failure;
            });
            throw e;
        }
    }
}
