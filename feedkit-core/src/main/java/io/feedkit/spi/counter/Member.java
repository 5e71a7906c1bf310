package io.feedkit.spi.counter;

/**
 * A member of a set.
 *
 * @param name the member
 * @param label its label
 * @param number its number
 * @param settled false if the member's last turn is not settled yet
 */
public record Member(String name, String label, long number, boolean settled) {}
