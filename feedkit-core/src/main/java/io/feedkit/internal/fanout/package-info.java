/**
 * Works off the fan-out log: {@link io.feedkit.internal.fanout.FanoutWorkerPool} has the threads,
 * {@link io.feedkit.internal.fanout.FanoutRound} is what they do.
 */
@NullMarked
package io.feedkit.internal.fanout;

import org.jspecify.annotations.NullMarked;
