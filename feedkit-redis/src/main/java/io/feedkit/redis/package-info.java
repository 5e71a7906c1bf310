/**
 * Feeds and counters in Redis. Read {@link io.feedkit.redis.RedisFeedStore} first. If another store is the source of
 * truth and Redis holds only the inboxes, read {@link io.feedkit.redis.RedisInboxes}. Unread counts, counters,
 * reactions and views are in {@link io.feedkit.redis.RedisCounterStore}, with or without feeds beside it.
 */
@NullMarked
package io.feedkit.redis;

import org.jspecify.annotations.NullMarked;
