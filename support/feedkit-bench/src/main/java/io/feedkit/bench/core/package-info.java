/** The suite {@code core}: the engine on the in-memory store. Start with {@link io.feedkit.bench.core.CoreSuite}. */
@NullMarked
package io.feedkit.bench.core;

import org.jspecify.annotations.NullMarked;
