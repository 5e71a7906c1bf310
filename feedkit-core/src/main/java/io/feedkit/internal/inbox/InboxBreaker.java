package io.feedkit.internal.inbox;

import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.host.CircuitBreaker;
import io.feedkit.internal.host.EngineSettings;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps pages going while the inbox store is down: everything that a page needs is in the outboxes, too.
 *
 * <p>A {@link CircuitBreaker} decides whether the store is down. Only a number of pages at a time are read from the
 * outboxes, which protects the source of truth; pages beyond that fail at once. Thread-safe.
 */
public final class InboxBreaker {

    private final CircuitBreaker breaker;
    private final Semaphore permits;

    public InboxBreaker(EngineSettings settings) {
        this.breaker = new CircuitBreaker(settings, "the inbox store is down, and feeds are read from the outboxes");
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

    /** The store's answer, or null if the store is down. */
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
                    new CircuitBreaker.Refused("the inbox store is down, and as many feeds as readsWithoutInbox allows"
                            + " are read from the outboxes already: try again later"));
        }
        return new Permit();
    }
}
