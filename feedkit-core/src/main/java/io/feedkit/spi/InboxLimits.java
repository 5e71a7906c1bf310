package io.feedkit.spi;

/**
 * The bounds of every inbox.
 *
 * @param cap the most entries an inbox serves; at most {@link #stored()} are stored
 * @param liveWindowMillis how long after its last renewing read an inbox stays live, by the store's clock
 */
public record InboxLimits(int cap, long liveWindowMillis) {

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if a bound is not positive
     */
    public InboxLimits {
        if (cap < 1) {
            throw new IllegalArgumentException("cap must be at least 1, but is " + cap);
        }
        if (liveWindowMillis < 1) {
            throw new IllegalArgumentException("liveWindowMillis must be at least 1, but is " + liveWindowMillis);
        }
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
