/**
 * How posts reach their readers. Read {@link io.feedkit.fanout.FanoutPolicy} first;
 * {@link io.feedkit.fanout.FanoutControl} is for operators and tests.
 *
 * <p>Engines make {@link io.feedkit.fanout.Backlog}, {@link io.feedkit.fanout.QueueTraffic} and
 * {@link io.feedkit.fanout.DeadLetter}. Their builders are public for tests of hosts.
 */
@NullMarked
package io.feedkit.fanout;

import org.jspecify.annotations.NullMarked;
