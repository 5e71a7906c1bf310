/**
 * Ranked pages. Read {@link io.feedkit.internal.rank.RankedReader} first: it has the newest posts of a feed scored,
 * saves their order, and reads later pages from the saved order.
 */
@NullMarked
package io.feedkit.internal.rank;

import org.jspecify.annotations.NullMarked;
