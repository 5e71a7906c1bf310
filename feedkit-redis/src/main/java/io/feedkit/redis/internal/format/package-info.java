/** The names of keys, and how values are encoded under them. {@code docs/reference/redis-format.md} has the formats. */
@NullMarked
package io.feedkit.redis.internal.format;

import org.jspecify.annotations.NullMarked;
