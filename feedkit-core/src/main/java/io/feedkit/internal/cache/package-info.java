/**
 * The caches of an engine, and how long each entry is kept. Start with {@link io.feedkit.internal.cache.RegisterCache}.
 */
@NullMarked
package io.feedkit.internal.cache;

import org.jspecify.annotations.NullMarked;
