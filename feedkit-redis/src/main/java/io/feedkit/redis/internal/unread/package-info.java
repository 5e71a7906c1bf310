/** How far readers have seen their feeds, in Redis. Read {@link io.feedkit.redis.internal.unread.RedisUnreadCounter}. */
@NullMarked
package io.feedkit.redis.internal.unread;

import org.jspecify.annotations.NullMarked;
