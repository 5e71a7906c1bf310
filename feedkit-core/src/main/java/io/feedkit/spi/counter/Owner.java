package io.feedkit.spi.counter;

import io.feedkit.internal.check.Arguments;

/**
 * The owner of numbers.
 *
 * @param space the kind of the owner
 * @param id the owner's id
 * @since 0.1.0
 */
public record Owner(Space space, String id) {
    /** Refuses null. */
    public Owner {
        Arguments.nonNull("space", space);
        Arguments.nonNull("id", id);
    }
}
