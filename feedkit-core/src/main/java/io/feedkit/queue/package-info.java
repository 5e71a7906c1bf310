/**
 * The queue between the engines that lend fan-out tasks and the workers that take them: what a queue implements, and a
 * queue in memory.
 */
@NullMarked
package io.feedkit.queue;

import org.jspecify.annotations.NullMarked;
