/**
 * The embedded store: everything in this process's memory. {@link io.feedkit.memory.InMemoryFeedStore} is the door; it
 * is the reference for what the interfaces in {@link io.feedkit.spi} mean.
 */
@NullMarked
package io.feedkit.memory;

import org.jspecify.annotations.NullMarked;
