/**
 * Counts the posts above a seen mark. Start with {@link io.feedkit.internal.unread.FeedUnread}. With a filter, or where
 * a page would need other sources, {@link io.feedkit.internal.read.FeedReader#count} counts by reading.
 */
@NullMarked
package io.feedkit.internal.unread;

import org.jspecify.annotations.NullMarked;
