/**
 * What travels through message brokers. A {@link io.feedkit.queue.FanoutQueue} carries tasks from the engines that lend
 * them to the workers that take them; {@link io.feedkit.memory.InMemoryFanoutQueue} is one in memory. A
 * {@link io.feedkit.queue.PostEventSink} tells other services of posts. What a backend implements for it is
 * {@link io.feedkit.spi.PostEventLog}.
 */
@NullMarked
package io.feedkit.queue;

import org.jspecify.annotations.NullMarked;
