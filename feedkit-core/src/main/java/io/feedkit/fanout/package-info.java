/**
 * How posts reach their readers. Read {@link io.feedkit.fanout.FanoutPolicy} first;
 * {@link io.feedkit.fanout.FanoutControl} is for operators and tests.
 */
@NullMarked
package io.feedkit.fanout;

import org.jspecify.annotations.NullMarked;
