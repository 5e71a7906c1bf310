/**
 * The interfaces that a backend implements for counters, unread counts and conversations.
 * {@link io.feedkit.spi.counter.CounterStore} has the primitives. {@link io.feedkit.spi.counter.CounterSource} is a
 * store that may stand behind a cache.
 */
@NullMarked
package io.feedkit.spi.counter;

import org.jspecify.annotations.NullMarked;
