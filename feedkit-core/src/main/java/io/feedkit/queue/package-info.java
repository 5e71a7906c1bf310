/**
 * What travels through message brokers. A {@link io.feedkit.queue.FanoutQueue} carries tasks from the engines that lend
 * them to the workers that take them; there is one in memory. A {@link io.feedkit.queue.PostEventSink} tells other
 * services of posts; {@link io.feedkit.queue.PostEventLog} is what a backend implements for it.
 */
@NullMarked
package io.feedkit.queue;

import org.jspecify.annotations.NullMarked;
