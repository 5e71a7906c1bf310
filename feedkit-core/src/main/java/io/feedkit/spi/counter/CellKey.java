package io.feedkit.spi.counter;

/**
 * The name of one sequence, one mark, or both, of an owner.
 *
 * @param owner the owner
 * @param name up to 80 visible ASCII characters, or {@code ""}
 */
public record CellKey(Owner owner, String name) {}
