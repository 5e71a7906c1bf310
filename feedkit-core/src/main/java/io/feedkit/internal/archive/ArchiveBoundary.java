package io.feedkit.internal.archive;

import io.feedkit.spi.WarmPosts;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * The archive boundary, as this engine knows it. It is cached, so that a page that is complete without the archive
 * costs no extra call.
 *
 * <p>Reads ask the outbox first, and then call {@link #afterRead}. A mover removes rows only after every engine has
 * looked at a boundary above them: it waits {@link #KNOWN_AFTER} once it has seen that boundary. So if the value here
 * is not older than {@link #VALID} when the read of the outbox has ended, no row above the boundary was missing from
 * that read. Times are differences of one machine's {@link System#nanoTime}, so no clocks are compared. Thread-safe.
 */
final class ArchiveBoundary {

    /** How long a value is used. */
    static final Duration VALID = Duration.ofMillis(500);

    /** How long a mover waits: twice as long. */
    static final Duration KNOWN_AFTER = VALID.multipliedBy(2);

    /** A value, and when the call that returned it began. */
    private record Seen(long millis, long since) {}

    private final WarmPosts source;
    private final LongSupplier nanoTime;
    private final AtomicBoolean renewing = new AtomicBoolean();
    private volatile Seen seen;

    ArchiveBoundary(WarmPosts source, LongSupplier nanoTime) {
        this.source = source;
        this.nanoTime = nanoTime;
        this.seen = new Seen(0, nanoTime.getAsLong() - VALID.toNanos() - 1);
    }

    /** The boundary for a read of the outbox that has just ended. */
    long afterRead() {
        Seen now = seen;
        long age = nanoTime.getAsLong() - now.since();
        if (age > VALID.toNanos()) {
            return renewed();
        }
        if (age > VALID.toNanos() / 2 && renewing.compareAndSet(false, true)) {
            try {
                return renewed();
            } finally {
                renewing.set(false);
            }
        }
        return now.millis();
    }

    /** The latest known boundary, without a call. It may be too low. */
    long lastKnown() {
        return seen.millis();
    }

    private long renewed() {
        long since = nanoTime.getAsLong();
        long millis = source.boundary();
        seen = new Seen(millis, since);
        return millis;
    }
}
