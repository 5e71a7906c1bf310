/**
 * The suite {@code redis}. Read {@link io.feedkit.bench.redis.RedisSuite} first. The code that a host would write by
 * hand is in {@code hand}.
 */
@NullMarked
package io.feedkit.bench.redis;

import org.jspecify.annotations.NullMarked;
