/**
 * Processes the tasks of the fan-out log: {@link io.feedkit.internal.fanout.FanoutWorkerPool} has the threads, and each
 * thread runs one {@link io.feedkit.internal.fanout.FanoutRound} after another.
 */
@NullMarked
package io.feedkit.internal.fanout;

import org.jspecify.annotations.NullMarked;
