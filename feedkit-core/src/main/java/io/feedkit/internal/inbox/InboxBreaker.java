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
        this.permits = new Semaphore(settings.readsWithoutInbox());
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
