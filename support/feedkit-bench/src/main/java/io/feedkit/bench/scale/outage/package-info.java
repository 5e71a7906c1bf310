/**
 * What pages cost and show while the inbox store is down. Begin with {@link io.feedkit.bench.scale.outage.OutageCost}.
 */
@NullMarked
package io.feedkit.bench.scale.outage;

import org.jspecify.annotations.NullMarked;
