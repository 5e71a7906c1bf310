/**
 * Plain counters, reactions and views. They do not use an engine, and work on any
 * {@link io.feedkit.spi.counter.CounterStore}.
 */
@NullMarked
package io.feedkit.counter;

import org.jspecify.annotations.NullMarked;
