/** The orders of ranked feeds in Redis. Read {@link io.feedkit.redis.internal.rank.RedisRankSnapshots}. */
@NullMarked
package io.feedkit.redis.internal.rank;

import org.jspecify.annotations.NullMarked;
