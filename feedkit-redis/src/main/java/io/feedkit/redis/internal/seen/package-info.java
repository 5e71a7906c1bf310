/** How far readers have seen their feeds, in Redis. Read {@link io.feedkit.redis.internal.seen.RedisSeenMarks}. */
@NullMarked
package io.feedkit.redis.internal.seen;

import org.jspecify.annotations.NullMarked;
