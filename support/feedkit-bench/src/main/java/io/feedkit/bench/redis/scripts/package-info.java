/** How long calls occupy the server. Read {@link io.feedkit.bench.redis.scripts.LongestScript} first. */
@NullMarked
package io.feedkit.bench.redis.scripts;

import org.jspecify.annotations.NullMarked;
