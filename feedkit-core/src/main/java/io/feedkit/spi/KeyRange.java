package io.feedkit.spi;

import io.feedkit.internal.check.Arguments;

/**
 * A half-open range of user ids in byte order: one worker's part of a huge fan-out.
 *
 * @param from the lowest id in the range; {@code ""} for the beginning
 * @param below the lowest id above the range; {@link #END} for the end
 * @since 0.1.0
 */
public record KeyRange(String from, String below) {
    /** Refuses null. */
    public KeyRange {
        Arguments.nonNull("from", from);
        Arguments.nonNull("below", below);
    }

    /** Above every id (U+007F, the character after the last visible one). */
    public static final String END = "\u007f";

    /** Every id. */
    public static final KeyRange ALL = new KeyRange("", END);

    /**
     * Returns whether an id lies in this range.
     *
     * @param id the id
     * @return true if {@code from <= id < below}
     */
    public boolean contains(String id) {
        return id.compareTo(from) >= 0 && id.compareTo(below) < 0;
    }
}
