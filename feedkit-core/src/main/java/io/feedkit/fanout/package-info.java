/**
 * How posts reach their readers. Read {@link io.feedkit.fanout.FanoutPolicy} first;
 * {@link io.feedkit.fanout.FanoutControl} is what an operator and a test use.
 */
@NullMarked
package io.feedkit.fanout;

import org.jspecify.annotations.NullMarked;
