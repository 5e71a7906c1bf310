/**
 * Feeds in Redis. Read {@link io.feedkit.examples.redis.RedisCommand} first, which wires an engine to a server;
 * {@link io.feedkit.examples.redis.InspectCommand} looks at what it wrote there, by nothing but the format in
 * {@code docs/reference/redis-format.md}.
 */
@NullMarked
package io.feedkit.examples.redis;

import org.jspecify.annotations.NullMarked;
