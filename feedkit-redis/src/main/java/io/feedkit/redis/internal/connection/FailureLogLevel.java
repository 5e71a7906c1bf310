package io.feedkit.redis.internal.connection;

import io.feedkit.redis.UnusableServerException;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.event.Level;

/**
 * The log level of failures of repeated work: WARN if there was no failure of its kind for some minutes, else DEBUG.
 * Used by one thread at a time.
 */
public final class FailureLogLevel {

    private static final long PAUSE_MILLIS = TimeUnit.MINUTES.toMillis(10);

    private final Clock clock;
    private final Map<String, Long> warned = new HashMap<>();

    /** Creates a log level without earlier failures. */
    public FailureLogLevel(Clock clock) {
        this.clock = clock;
    }

    /** The level of a failure that has just happened. */
    public Level of(Throwable failure) {
        long now = clock.millis();
        String kind = kind(failure);
        Long before = warned.get(kind);
        if (before != null && before <= now && now - before < PAUSE_MILLIS) {
            return Level.DEBUG;
        }
        warned.put(kind, now);
        return Level.WARN;
    }

    private static String kind(Throwable failure) {
        return failure instanceof UnusableServerException unusable
                ? unusable.reason().name()
                : failure.getClass().getName();
    }
}
