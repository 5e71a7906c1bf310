/**
 * The fan-out log in Redis. Read {@link io.feedkit.redis.internal.log.RedisFanoutLog} first. Each step is a script
 * among the resources ({@code feedkit-redis/log/*.lua}), and {@code docs/reference/redis-format.md} has the format.
 */
@NullMarked
package io.feedkit.redis.internal.log;

import org.jspecify.annotations.NullMarked;
