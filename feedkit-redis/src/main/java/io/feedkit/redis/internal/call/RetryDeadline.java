package io.feedkit.redis.internal.call;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How long a call is sent again for one passing reason: at once the first time, and then after pauses. Not thread-safe. */
final class RetryDeadline {

    private static final long PAUSE_MILLIS = 10;

    private final long nanos;
    private long begun;
    private boolean called;

    RetryDeadline(Duration limit) {
        nanos = limit.toNanos();
    }

    /** Whether to go on. An interrupted caller does not, and stays interrupted. */
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
