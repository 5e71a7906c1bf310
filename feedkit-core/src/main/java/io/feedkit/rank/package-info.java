/**
 * Ranked pages: the newest posts of a feed, in an order that the host computes. Read {@link io.feedkit.rank.Ranker}
 * first, then {@link io.feedkit.FeedEngine#ranked}. {@link io.feedkit.rank.Rankers} has ready-made rankers.
 */
@NullMarked
package io.feedkit.rank;

import org.jspecify.annotations.NullMarked;
