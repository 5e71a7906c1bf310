package io.feedkit.spi;

import io.feedkit.internal.check.Arguments;

/**
 * The bounds of every inbox.
 *
 * @param cap the most entries an inbox serves; at most {@link #stored()} are stored
 * @param liveWindowMillis how long after its last renewing read an inbox stays live, by the store's clock
 * @since 0.1.0
 */
public record InboxLimits(int cap, long liveWindowMillis) {

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if a bound is not positive
     */
    public InboxLimits {
        Arguments.atLeast("cap", cap, 1);
        Arguments.atLeast("liveWindowMillis", liveWindowMillis, 1);
    }

    /**
     * The most entries an inbox may hold between trims: the cap plus an eighth, so that few insertions have to trim.
     *
     * @return the hard bound of stored entries
     */
    public int stored() {
        return cap + cap / 8;
    }
}
