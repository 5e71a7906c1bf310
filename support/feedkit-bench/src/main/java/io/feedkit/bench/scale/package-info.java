/**
 * What a large pulled register costs, and what pages cost while the inbox store is down. Begin with
 * {@link io.feedkit.bench.scale.ScaleSuite}.
 */
@NullMarked
package io.feedkit.bench.scale;

import org.jspecify.annotations.NullMarked;
