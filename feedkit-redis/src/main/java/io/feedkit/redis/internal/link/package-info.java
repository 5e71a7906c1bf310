/** What the stores in Redis have in common: connections, scripts, failures. Read {@link io.feedkit.redis.internal.link.RedisLink} first. */
@NullMarked
package io.feedkit.redis.internal.link;

import org.jspecify.annotations.NullMarked;
