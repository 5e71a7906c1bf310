/** Feeds in Redis. {@link io.feedkit.examples.redis.RedisCommand} connects an engine to a server. */
@NullMarked
package io.feedkit.examples.redis;

import org.jspecify.annotations.NullMarked;
