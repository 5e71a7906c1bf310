/** What the stores in Redis have in common: connections, scripts, failures. Read {@link io.feedkit.redis.internal.call.RedisLink} first. */
@NullMarked
package io.feedkit.redis.internal.call;

import org.jspecify.annotations.NullMarked;
