/**
 * The read path. Read {@link io.feedkit.internal.read.FeedReader} first: it fills a page from the chunks of a
 * {@link io.feedkit.internal.read.FeedScan}, which merges the inbox with outboxes.
 */
@NullMarked
package io.feedkit.internal.read;

import org.jspecify.annotations.NullMarked;
