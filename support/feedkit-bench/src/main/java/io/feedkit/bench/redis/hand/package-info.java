/**
 * Code that a host would write by hand, and bare commands, which are a lower bound of the cost. Read
 * {@link io.feedkit.bench.redis.hand.HandPipeline} first.
 */
@NullMarked
package io.feedkit.bench.redis.hand;

import org.jspecify.annotations.NullMarked;
