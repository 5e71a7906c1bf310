package io.feedkit.internal.archive;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The boundary below which a mover may remove rows: one that it has seen for so long that all engines know it. The
 * boundary rises all the time; while one value waits, later values are not looked at. Not thread-safe.
 */
final class KnownBoundary {

    private final LongSupplier nanoTime;
    private long known;
    private long waiting;
    private long since;

    KnownBoundary(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Takes note of the stored boundary, and returns the one that is known to all engines; {@code 0} if none is. */
    long see(long stored) {
        if (left().isZero()) {
            known = waiting;
        }
        if (waiting == known && stored > waiting) {
            waiting = stored;
            since = nanoTime.getAsLong();
        }
        return known;
    }

    /** How long the waiting value has to wait. */
    Duration left() {
        Duration left = ArchiveBoundary.KNOWN_AFTER.minusNanos(nanoTime.getAsLong() - since);
        return waiting == known || left.isNegative() ? Duration.ZERO : left;
    }
}
