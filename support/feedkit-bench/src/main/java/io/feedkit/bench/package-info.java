/** Benchmarks; start with {@link io.feedkit.bench.Main}. */
@NullMarked
package io.feedkit.bench;

import org.jspecify.annotations.NullMarked;
