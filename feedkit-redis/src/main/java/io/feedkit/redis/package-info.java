/**
 * Feeds kept in Redis. Read {@link io.feedkit.redis.RedisFeedStore} first, or {@link io.feedkit.redis.RedisInboxes} if another store keeps the truth and Redis the
 * inboxes alone. {@link io.feedkit.redis.RedisCounterStore} keeps unread counts, counters, reactions and views, with or without feeds beside it.
 */
@NullMarked
package io.feedkit.redis;

import org.jspecify.annotations.NullMarked;
