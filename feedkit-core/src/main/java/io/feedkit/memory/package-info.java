/**
 * The embedded store: all data is in this process's memory. Read {@link io.feedkit.memory.InMemoryFeedStore} first. It
 * is the reference for what the interfaces in {@link io.feedkit.spi} mean.
 *
 * <p>{@link io.feedkit.memory.InMemoryFanoutQueue} is a queue in this process, and
 * {@link io.feedkit.memory.InMemoryPresenceStore} keeps who is online.
 */
@NullMarked
package io.feedkit.memory;

import org.jspecify.annotations.NullMarked;
