/**
 * The outboxes in Redis, and the pulled register beside them. Read {@link io.feedkit.redis.internal.outbox.RedisOutbox}
 * first. Each step is a script among the resources ({@code feedkit-redis/outbox/*.lua},
 * {@code feedkit-redis/register/*.lua}), and {@code docs/reference/redis-format.md} has the format.
 */
@NullMarked
package io.feedkit.redis.internal.outbox;

import org.jspecify.annotations.NullMarked;
