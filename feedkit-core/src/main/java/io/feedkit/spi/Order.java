package io.feedkit.spi;

/**
 * The direction in which a range of posts is read.
 *
 * @since 0.1.0
 */
public enum Order {
    /** From the highest position downwards, as a feed is shown. */
    NEWEST_FIRST,
    /** From the lowest position upwards, as a client catches up. */
    OLDEST_FIRST
}
