package io.feedkit.jdbc.internal.counter;

import java.time.Duration;

/** Pauses the scans of a table after a complete scan that found no rows to remove. Thread-safe. */
final class CleanupRest {

    private final long restMillis;
    private boolean startedAtFirstRow;
    private boolean hasRemoved;
    private long until = Long.MIN_VALUE;

    CleanupRest(Duration rest) {
        this.restMillis = rest.toMillis();
    }

    /** Records that the current scan removed rows. */
    synchronized void found() {
        hasRemoved = true;
    }

    /** Records that the current scan reached the last row. The next scan starts at the first row. */
    synchronized void ended(long now) {
        if (startedAtFirstRow && !hasRemoved) {
            until = now + restMillis;
        }
        startedAtFirstRow = true;
        hasRemoved = false;
    }

    synchronized boolean isOver(long now) {
        return now >= until;
    }
}
