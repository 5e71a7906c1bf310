/**
 * Benchmarks, as ratios against baselines of the same run. Start with {@link io.feedkit.bench.Main} (the command line),
 * then {@link io.feedkit.bench.Suite} (what is measured) and {@link io.feedkit.bench.Figure} (what is printed). JMH's
 * benchmarks are in {@code io.feedkit.bench.jmh}.
 */
@NullMarked
package io.feedkit.bench;

import org.jspecify.annotations.NullMarked;
