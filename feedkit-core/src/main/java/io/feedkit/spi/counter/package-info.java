/**
 * What a backend implements for counters, unread counts and conversations. {@link io.feedkit.spi.counter.CounterStore}
 * has the primitives; {@link io.feedkit.spi.counter.CounterSource} is a store that a cache may stand before.
 */
@NullMarked
package io.feedkit.spi.counter;

import org.jspecify.annotations.NullMarked;
