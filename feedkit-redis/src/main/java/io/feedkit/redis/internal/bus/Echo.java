package io.feedkit.redis.internal.bus;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Expects that a message which was sent arrives at its sender, too. One message is expected at a time. A missing echo
 * shows every kind of trouble: a silent connection, a lost subscription, and two connections to different servers.
 * Thread-safe.
 */
final class Echo {

    /** Much longer than a message takes, and short enough that a silent connection is soon replaced. */
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(3);

    private @Nullable String expected;
    private long since;

    /** Called before a message is sent, because its echo may arrive before the answer to the sender. */
    synchronized void sending(String message, long now) {
        if (expected == null) {
            expected = message;
            since = now;
        }
    }

    /** A message arrived, or was certainly not sent. */
    synchronized void forget(String message) {
        if (message.equals(expected)) {
            expected = null;
        }
    }

    /** Whether an echo has been missing for too long. */
    synchronized boolean isMissing(long now) {
        return expected != null && now - since > LONGEST_NANOS;
    }
}
