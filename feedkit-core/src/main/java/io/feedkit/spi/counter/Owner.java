package io.feedkit.spi.counter;

/**
 * The owner of numbers.
 *
 * @param space the kind of the owner
 * @param id the owner's id
 */
public record Owner(Space space, String id) {}
