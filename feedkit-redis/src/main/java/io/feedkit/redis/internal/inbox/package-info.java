/**
 * The inboxes in Redis. Read {@link io.feedkit.redis.internal.inbox.RedisInbox} first. Each step is a script among the
 * resources ({@code feedkit-redis/inbox/*.lua}), and {@code docs/reference/redis-format.md} has the format.
 */
@NullMarked
package io.feedkit.redis.internal.inbox;

import org.jspecify.annotations.NullMarked;
