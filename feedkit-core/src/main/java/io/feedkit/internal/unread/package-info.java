/**
 * Counts the posts above a seen mark. Begin with {@link io.feedkit.internal.unread.FeedUnread}.
 */
@NullMarked
package io.feedkit.internal.unread;

import org.jspecify.annotations.NullMarked;
