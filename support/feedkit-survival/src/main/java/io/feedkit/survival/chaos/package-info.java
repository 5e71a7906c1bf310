/**
 * Random faults while four engines in three processes serve feeds. {@link io.feedkit.survival.chaos.FeedModel} knows
 * the posts that readers may and must see, and checks every page when it arrives.
 */
@NullMarked
package io.feedkit.survival.chaos;

import org.jspecify.annotations.NullMarked;
