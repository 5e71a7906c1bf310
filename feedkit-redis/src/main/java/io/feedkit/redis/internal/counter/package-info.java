/** Counters in Redis. Read {@link io.feedkit.redis.internal.counter.RedisCounters} first. */
@NullMarked
package io.feedkit.redis.internal.counter;

import org.jspecify.annotations.NullMarked;
