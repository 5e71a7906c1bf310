package io.feedkit.internal.host;

import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.event.Level;

/**
 * Chooses the log level of a failure that may occur many times in a row: WARN if the last warning was some minutes ago,
 * otherwise DEBUG. Thread-safe.
 */
public final class WarningLimiter {

    static final long PAUSE_MILLIS = TimeUnit.MINUTES.toMillis(10);

    private final Clock clock;
    private final AtomicLong last = new AtomicLong(Long.MIN_VALUE);

    public WarningLimiter(Clock clock) {
        this.clock = clock;
    }

    /** The level of a failure that has just happened. */
    public Level level() {
        long now = clock.millis();
        long before = last.get();
        boolean lately = before != Long.MIN_VALUE && before <= now && now - before < PAUSE_MILLIS;
        return !lately && last.compareAndSet(before, now) ? Level.WARN : Level.DEBUG;
    }
}
