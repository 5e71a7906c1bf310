/**
 * Feeds kept in Redis. Read {@link io.feedkit.redis.RedisFeedStore} first, or {@link io.feedkit.redis.RedisInboxes} if another store keeps the truth and Redis the
 * inboxes alone.
 */
@NullMarked
package io.feedkit.redis;

import org.jspecify.annotations.NullMarked;
