/**
 * The caches of an engine: what it remembers of a store, and for how long. Begin with
 * {@link io.feedkit.internal.cache.RegisterCache}.
 */
@NullMarked
package io.feedkit.internal.cache;

import org.jspecify.annotations.NullMarked;
