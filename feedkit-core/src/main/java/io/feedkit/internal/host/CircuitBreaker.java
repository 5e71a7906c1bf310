package io.feedkit.internal.host;

import io.feedkit.StoreUnavailableException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a store that may be down. After some failures in a row the store is not asked any more, so that callers do not
 * wait for time-outs. Once in a second one caller asks whether the store is back. Thread-safe.
 */
public final class CircuitBreaker {

    /** The cause of a failure that says nothing about the store, since the engine itself refused the call. */
    public static final class Refused extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        public Refused(String message) {
            super(message);
        }
    }

    /** How many calls must fail in a row. If only a part of the store is down, other calls succeed in between. */
    static final int FAILURES = 5;

    /** How long the store is not asked after a failure. */
    static final long PAUSE_MILLIS = 1000;

    private static final Logger log = LoggerFactory.getLogger(CircuitBreaker.class);

    private final String engine;
    private final String whatIsDown;
    private final Clock clock;
    private final WarningLimiter warnings;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong probedAt = new AtomicLong(-PAUSE_MILLIS);
    private final AtomicReference<@Nullable Exception> lastFailure = new AtomicReference<>();
    private volatile long failedAt;

    /**
     * A breaker for one store.
     *
     * @param whatIsDown the text of the log message about a failure
     */
    public CircuitBreaker(EngineSettings settings, String whatIsDown) {
        this.engine = settings.name();
        this.clock = settings.clock();
        this.whatIsDown = whatIsDown;
        this.warnings = new WarningLimiter(clock);
    }

    /** The store's answer, or null if the store is down. */
    public <T> @Nullable T ask(Supplier<T> question) {
        if (failures.get() < FAILURES) {
            return answer(question);
        }
        long now = clock.millis();
        long probed = probedAt.get();
        // A time, since a question that hangs must not keep all others from asking.
        if (isLately(failedAt, now) || isLately(probed, now) || !probedAt.compareAndSet(probed, now)) {
            return null;
        }
        return answer(question);
    }

    private static boolean isLately(long time, long now) {
        return time <= now && now - time < PAUSE_MILLIS;
    }

    /** The last failure, if there was one. */
    public Optional<Exception> lastFailure() {
        return Optional.ofNullable(lastFailure.get());
    }

    private <T> @Nullable T answer(Supplier<T> question) {
        try {
            T answer = question.get();
            failures.set(0);
            return answer;
        } catch (StoreUnavailableException e) {
            if (!e.isRetryable()
                    || e.getCause() instanceof Refused
                    || Thread.currentThread().isInterrupted()) {
                throw e;
            }
            failedAt = clock.millis();
            // Callers who share a question share its failure.
            if (lastFailure.getAndSet(e) != e) {
                failures.incrementAndGet();
            }
            log.atLevel(warnings.level())
                    .setCause(e)
                    .log("{}: {}; failures of the next minutes are logged at DEBUG", engine, whatIsDown);
            return null;
        }
    }
}
