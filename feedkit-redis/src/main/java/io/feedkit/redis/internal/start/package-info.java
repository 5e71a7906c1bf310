/**
 * How a store starts: connected and checked, or still connecting in the background. Read
 * {@link io.feedkit.redis.internal.start.CheckedLink} first.
 */
@NullMarked
package io.feedkit.redis.internal.start;

import org.jspecify.annotations.NullMarked;
