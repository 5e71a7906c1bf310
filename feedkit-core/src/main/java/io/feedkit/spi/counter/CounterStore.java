package io.feedkit.spi.counter;

/**
 * Keeps numbers for {@code io.feedkit.unread} and {@code io.feedkit.counter}. It has three primitives: sequences, to
 * which amounts are added; marks, which only rise; and sets of members.
 *
 * <p>Everything belongs to an {@link Owner}, and all data of one owner is kept in one place. A step for one owner is
 * atomic. A batch is not: if it fails in the middle, each of its steps was done or not done. Steps of one batch for the
 * same owner are done in their order. Thread-safe.
 */
public interface CounterStore extends CounterReads, CounterWrites {}
