package io.feedkit.redis.internal.call;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Limits how long a call is retried for one temporary reason: first at once, and then after pauses. Not thread-safe.
 */
final class RetryDeadline {

    private static final long PAUSE_MILLIS = 10;

    private final long nanos;
    private long begun;
    private boolean called;

    RetryDeadline(Duration limit) {
        nanos = limit.toNanos();
    }

    /** Whether to send the call again. An interrupted caller does not, and stays interrupted. */
    boolean allowsRetry() {
        if (!called) {
            called = true;
            begun = System.nanoTime();
            return true;
        }
        if (System.nanoTime() - begun >= nanos) {
            return false;
        }
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
