package io.feedkit.internal.inbox;

import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.host.CircuitBreaker;
import io.feedkit.internal.host.EngineSettings;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves pages from the outboxes while the inbox store is down.
 *
 * <p>A {@link CircuitBreaker} decides whether the store is down. At most {@code readsWithoutInbox} pages at a time are
 * read from the outboxes, to protect the source of truth. Further pages fail at once. Thread-safe.
 */
public final class InboxBreaker {

    private final CircuitBreaker breaker;
    private final Semaphore permits;

    public InboxBreaker(EngineSettings settings) {
        this.breaker = new CircuitBreaker(settings, "the inbox store is down; feeds are read from the outboxes");
        this.permits = new Semaphore(settings.inboxes().readsWithoutInbox());
    }

    /** A permit to read one page from the outboxes. */
    public final class Permit implements AutoCloseable {

        private Permit() {}

        @Override
        public void close() {
            permits.release();
        }
    }

    /** Returns the store's answer, or null if the store is down. */
    public <T> @Nullable T ask(Supplier<T> question) {
        return breaker.ask(() -> breaker.watch(question));
    }

    /**
     * Returns the store's answer, or null if the store is down. Something else is done while the store works, and is
     * done, once, also if the store is down. Its time and its failures do not count as the store's.
     *
     * @param send sends the question without waiting; what it returns waits for the answer
     */
    public <T> @Nullable T ask(Supplier<Supplier<T>> send, Runnable meanwhile) {
        Once other = new Once(meanwhile);
        T answer = breaker.ask(() -> {
            Supplier<T> sent = send.get();
            other.run();
            return breaker.watch(sent);
        });
        other.run();
        other.rethrow();
        return answer;
    }

    /** Runs once, and keeps its failure. Used by one thread. */
    private static final class Once {

        private final Runnable task;
        private boolean ran;
        private @Nullable RuntimeException failure;

        Once(Runnable task) {
            this.task = task;
        }

        void run() {
            if (!ran) {
                ran = true;
                try {
                    task.run();
                } catch (RuntimeException e) {
                    failure = e;
                }
            }
        }

        void rethrow() {
            if (failure != null) {
                throw failure;
            }
        }
    }

    /**
     * A permit to read a page without an inbox.
     *
     * @throws StoreUnavailableException if the allowed number of pages is being read already
     */
    public Permit permit() {
        if (!permits.tryAcquire()) {
            throw new StoreUnavailableException(
                    "inbox.slice",
                    new CircuitBreaker.Refused("the inbox store is down, and the number of feeds that are read from the"
                            + " outboxes has reached readsWithoutInbox: try again later"));
        }
        return new Permit();
    }
}
