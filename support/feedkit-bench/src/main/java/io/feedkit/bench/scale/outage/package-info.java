/**
 * The costs and the content of pages while the inbox store is down. Start with
 * {@link io.feedkit.bench.scale.outage.OutageCost}.
 */
@NullMarked
package io.feedkit.bench.scale.outage;

import org.jspecify.annotations.NullMarked;
