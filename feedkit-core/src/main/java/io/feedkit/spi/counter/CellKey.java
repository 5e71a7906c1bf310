package io.feedkit.spi.counter;

import io.feedkit.internal.check.Arguments;

/**
 * The name of one sequence, one mark, or both, of an owner.
 *
 * @param owner the owner
 * @param name up to 80 visible ASCII characters and spaces, or {@code ""}
 * @since 0.1.0
 */
public record CellKey(Owner owner, String name) {
    /** Refuses null. */
    public CellKey {
        Arguments.nonNull("owner", owner);
        Arguments.nonNull("name", name);
    }
}
