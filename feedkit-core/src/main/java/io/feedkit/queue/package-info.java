/**
 * The use of message brokers. A {@link io.feedkit.queue.FanoutQueue} carries tasks from the engines that lend them to
 * the workers that take them; {@link io.feedkit.memory.InMemoryFanoutQueue} is one in memory. A
 * {@link io.feedkit.queue.PostEventSink} publishes post events to other services. To support it, a backend implements
 * {@link io.feedkit.spi.PostEventLog}.
 */
@NullMarked
package io.feedkit.queue;

import org.jspecify.annotations.NullMarked;
