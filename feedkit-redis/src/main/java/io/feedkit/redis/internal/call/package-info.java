/**
 * Calls to Redis: commands and scripts, how they are sent, and what their failures mean. Read
 * {@link io.feedkit.redis.internal.call.RedisLink} first.
 */
@NullMarked
package io.feedkit.redis.internal.call;

import org.jspecify.annotations.NullMarked;
