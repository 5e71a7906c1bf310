/** Sketches of structures that an inbox could have. Read {@link io.feedkit.bench.redis.layouts.InboxLayouts} first. */
@NullMarked
package io.feedkit.bench.redis.layouts;

import org.jspecify.annotations.NullMarked;
