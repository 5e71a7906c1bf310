/** The cost of presence. Start with {@link io.feedkit.bench.live.presence.PresenceCost}. */
@NullMarked
package io.feedkit.bench.live.presence;

import org.jspecify.annotations.NullMarked;
