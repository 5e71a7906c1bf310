/** Inboxes kept in Redis, beside a store that keeps the truth. Read {@link io.feedkit.redis.RedisInboxes} first. */
@NullMarked
package io.feedkit.redis;

import org.jspecify.annotations.NullMarked;
