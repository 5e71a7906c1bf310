/**
 * A reader's feed at one moment: the register, the inbox and the followees, which pages and counts are made from.
 * {@link io.feedkit.internal.view.FeedViews} states in which order they are read.
 */
@NullMarked
package io.feedkit.internal.view;

import org.jspecify.annotations.NullMarked;
