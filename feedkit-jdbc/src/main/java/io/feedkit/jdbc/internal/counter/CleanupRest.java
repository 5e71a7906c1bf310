package io.feedkit.jdbc.internal.counter;

import java.time.Duration;

/** Lets a walk through a table rest after it went through all rows and found none to remove. Thread-safe. */
final class CleanupRest {

    private final long restMillis;
    private boolean isWhole;
    private boolean hasFound;
    private long until = Long.MIN_VALUE;

    CleanupRest(Duration rest) {
        this.restMillis = rest.toMillis();
    }

    /** Rows were removed. */
    synchronized void found() {
        hasFound = true;
    }

    /** The walk came to the last row. The next one begins with the first row. */
    synchronized void ended(long now) {
        if (isWhole && !hasFound) {
            until = now + restMillis;
        }
        isWhole = true;
        hasFound = false;
    }

    synchronized boolean isOver(long now) {
        return now >= until;
    }
}
