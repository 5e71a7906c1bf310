/**
 * What a host would write by hand, and the barest commands, which nothing can beat. Read
 * {@link io.feedkit.bench.redis.hand.HandPipeline} first.
 */
@NullMarked
package io.feedkit.bench.redis.hand;

import org.jspecify.annotations.NullMarked;
