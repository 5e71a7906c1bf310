/**
 * JMH benchmarks of the hot paths of the core, for a closer look at one of them (with a profiler: {@code jmh Merge
 * -prof gc}). Ratios against baselines are in the suites.
 */
@NullMarked
package io.feedkit.bench.jmh;

import org.jspecify.annotations.NullMarked;
