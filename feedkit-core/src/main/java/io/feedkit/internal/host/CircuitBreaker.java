package io.feedkit.internal.host;

import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.FailureReasons;
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
 * Calls a store that may be down. After some failures in a row the store is no longer called, so that callers do not
 * wait for time-outs. Once a second, one caller tests whether the store is back.
 *
 * <p>A store that hangs fails late, and fails all its callers at once. So a store is also not called if it has answered
 * nothing for a second while a call waits for an answer. One failure of such a call is enough. Thread-safe.
 */
public final class CircuitBreaker {

    /** Marks a failure that does not concern the store: the engine itself refused the call. */
    public static final class Refused extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        public Refused(String message) {
            super(message);
        }
    }

    /** How many calls must fail in a row. If only a part of the store is down, other calls succeed in between. */
    static final int FAILURES = 5;

    /** How long the store is not called after a failure. */
    static final long PAUSE_MILLIS = 1000;

    /**
     * A store counts as silent if it answers nothing for this long while a call waits for it. This is long for an
     * answer, and short for a reader.
     */
    static final long SILENCE_MILLIS = 1000;

    private static final Logger log = LoggerFactory.getLogger(CircuitBreaker.class);

    private final String engine;
    private final String whatIsDown;
    private final Clock clock;
    private final WarningLimiter warnings;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong probedAt = new AtomicLong(-PAUSE_MILLIS);
    private final AtomicReference<@Nullable Exception> lastFailure = new AtomicReference<>();
    private final AtomicReference<@Nullable Call> unanswered = new AtomicReference<>();
    private final AtomicLong answers = new AtomicLong();
    private volatile long failedAt;

    /** A call that waits for an answer: when it began, and how many calls had been answered by then. */
    private record Call(long began, long answersBefore) {}

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

    /** Returns the store's answer, or null if the store is down, or the called part of it. */
    public <T> @Nullable T ask(Supplier<T> question) {
        long now = clock.millis();
        Call first = unanswered.get();
        if (first != null && isSilent(first, now)) {
            if (isRecent(first.began() + SILENCE_MILLIS, now)) {
                return null;
            }
        } else if (failures.get() < FAILURES) {
            return answer(question);
        }
        long probed = probedAt.get();
        // A time and not a flag, because a test that hangs must not keep all other callers from testing.
        if (isRecent(failedAt, now) || isRecent(probed, now) || !probedAt.compareAndSet(probed, now)) {
            return null;
        }
        return answer(question);
    }

    private static boolean isRecent(long time, long now) {
        return time <= now && now - time < PAUSE_MILLIS;
    }

    /**
     * Makes one call to the store, inside or outside {@link #ask}, and notices if the store answers nothing meanwhile.
     * The call must not contain code that waits for anything but the store.
     */
    public <T> T watch(Supplier<T> call) {
        Call mine = new Call(clock.millis(), answers.get());
        unanswered.compareAndSet(null, mine);
        try {
            T answer = call.get();
            answers.incrementAndGet();
            unanswered.set(null);
            return answer;
        } catch (StoreUnavailableException e) {
            if (isFailureOfStore(e) && isSilent(mine, clock.millis()) && answers.get() == mine.answersBefore()) {
                failures.accumulateAndGet(FAILURES, Math::max);
            }
            throw e;
        } finally {
            unanswered.compareAndSet(mine, null);
        }
    }

    private static boolean isSilent(Call call, long now) {
        return now - call.began() >= SILENCE_MILLIS;
    }

    private static boolean isFailureOfStore(StoreUnavailableException e) {
        return e.isRetryable()
                && !(e.getCause() instanceof Refused)
                && !Thread.currentThread().isInterrupted();
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
            if (!isFailureOfStore(e)) {
                throw e;
            }
            if (e.isOfPart()) {
                return null;
            }
            failedAt = clock.millis();
            // Callers that share a call share its failure, which counts once.
            if (lastFailure.getAndSet(e) != e) {
                failures.incrementAndGet();
            }
            log.atLevel(warnings.level())
                    .setCause(FailureReasons.printable(e))
                    .log("{}: {}; failures of the next minutes are logged at DEBUG", engine, whatIsDown);
            return null;
        }
    }
}
