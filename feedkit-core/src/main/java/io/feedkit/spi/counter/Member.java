package io.feedkit.spi.counter;

import io.feedkit.internal.check.Arguments;

/**
 * A member of a set.
 *
 * @param name the member
 * @param label its label
 * @param number its number
 * @param settled false if the member's last turn is not settled yet
 * @since 0.1.0
 */
public record Member(String name, String label, long number, boolean settled) {
    /** Refuses null. */
    public Member {
        Arguments.nonNull("name", name);
        Arguments.nonNull("label", label);
    }
}
