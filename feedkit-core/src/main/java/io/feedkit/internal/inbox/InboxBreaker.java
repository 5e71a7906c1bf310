package io.feedkit.internal.inbox;

import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.WarningLimiter;
import java.time.Clock;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps pages going while the inbox store is down: everything that a page needs is in the outboxes, too.
 *
 * <p>After some failures in a row the inbox store is not asked any more, so that not each page waits for a time-out.
 * From time to time one page asks whether it is back. Only a number of pages at a time are read from the outboxes,
 * which protects the source of truth; pages beyond that fail at once. Thread-safe.
 */
public final class InboxBreaker {

    /** How many calls must fail in a row. Where only a part of the store is down, others succeed in between. */
    static final int FAILURES = 5;

    /** How long the store is not asked after a failure. */
    static final long PAUSE_MILLIS = 1000;

    private static final Logger log = LoggerFactory.getLogger(InboxBreaker.class);

    private final String engine;
    private final Clock clock;
    private final WarningLimiter warnings;
    private final Semaphore permits;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile long failedAt;

    public InboxBreaker(EngineSettings settings) {
        this.engine = settings.name();
        this.clock = settings.clock();
        this.warnings = new WarningLimiter(clock);
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

    /** What the store answers, or null if it is down. */
    public <T> @Nullable T ask(Supplier<T> question) {
        if (failures.get() < FAILURES) {
            return answer(question);
        }
        long since = clock.millis() - failedAt;
        boolean lately = 0 <= since && since < PAUSE_MILLIS;
        if (lately || !asking.compareAndSet(false, true)) {
            return null;
        }
        try {
            return answer(question);
        } finally {
            asking.set(false);
        }
    }

    private <T> @Nullable T answer(Supplier<T> question) {
        try {
            T answer = question.get();
            failures.set(0);
            return answer;
        } catch (StoreUnavailableException e) {
            if (!e.isRetryable()) {
                throw e;
            }
            failedAt = clock.millis();
            failures.incrementAndGet();
            log.atLevel(warnings.level())
                    .setCause(e)
                    .log(
                            "{}: the inbox store is down, and feeds are read from the outboxes; failures of the next"
                                    + " minutes are logged at DEBUG",
                            engine);
            return null;
        }
    }

    /**
     * A permit to read a page without an inbox.
     *
     * @throws StoreUnavailableException if as many pages as are allowed are read so already
     */
    public Permit permit() {
        if (!permits.tryAcquire()) {
            throw new StoreUnavailableException(
                    "inbox.slice",
                    new IllegalStateException("the inbox store is down, and as many feeds as readsWithoutInbox allows"
                            + " are being read from the outboxes"));
        }
        return new Permit();
    }
}
