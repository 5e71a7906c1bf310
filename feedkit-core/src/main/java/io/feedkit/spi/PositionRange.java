package io.feedkit.spi;

import io.feedkit.Post;
import io.feedkit.internal.check.Arguments;

/**
 * A half-open range of positions.
 *
 * @param from the lowest position in the range
 * @param below the lowest position above the range
 * @since 0.1.0
 */
public record PositionRange(Position from, Position below) {
    /** Refuses null. */
    public PositionRange {
        Arguments.nonNull("from", from);
        Arguments.nonNull("below", below);
    }

    /** Every position. */
    public static final PositionRange ALL = new PositionRange(Position.LOWEST, Position.HIGHEST);

    /**
     * Everything below a position.
     *
     * @param below the exclusive upper bound
     * @return the range
     */
    public static PositionRange below(Position below) {
        return new PositionRange(Position.LOWEST, Arguments.nonNull("below", below));
    }

    /**
     * Everything from a position upwards.
     *
     * @param from the inclusive lower bound
     * @return the range
     */
    public static PositionRange from(Position from) {
        return new PositionRange(Arguments.nonNull("from", from), Position.HIGHEST);
    }

    /**
     * Returns whether a post lies in this range.
     *
     * @param post the post
     * @return true if {@code from <= position < below}
     */
    public boolean contains(Post post) {
        return from.compareOf(post) >= 0 && below.compareOf(post) < 0;
    }

    /**
     * Returns whether this range is empty.
     *
     * @return true if {@code from >= below}
     */
    public boolean isEmpty() {
        return from.compareTo(below) >= 0;
    }
}
