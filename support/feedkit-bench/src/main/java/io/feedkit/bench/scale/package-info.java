/**
 * The cost of a large pulled register, and the cost of pages while the inbox store is down. Start with
 * {@link io.feedkit.bench.scale.ScaleSuite}.
 */
@NullMarked
package io.feedkit.bench.scale;

import org.jspecify.annotations.NullMarked;
