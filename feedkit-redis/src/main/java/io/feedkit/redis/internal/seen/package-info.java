/**
 * Readers' marks in Redis: how far they have seen their feeds. Read
 * {@link io.feedkit.redis.internal.seen.RedisSeenMarks}.
 */
@NullMarked
package io.feedkit.redis.internal.seen;

import org.jspecify.annotations.NullMarked;
