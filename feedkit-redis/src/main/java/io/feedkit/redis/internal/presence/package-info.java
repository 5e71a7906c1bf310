/** Presence in Redis: {@link io.feedkit.redis.internal.presence.RedisPresenceStore}. */
@NullMarked
package io.feedkit.redis.internal.presence;

import org.jspecify.annotations.NullMarked;
