/**
 * The fixtures of the suite {@code redis}: servers, full inboxes, authors who post, callers. Read
 * {@link io.feedkit.bench.redis.ground.BenchRedis} first.
 */
@NullMarked
package io.feedkit.bench.redis.ground;

import org.jspecify.annotations.NullMarked;
