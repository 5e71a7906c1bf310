package io.feedkit.internal.read;

import io.feedkit.Post;

/**
 * A post of a feed.
 *
 * @param post the post
 * @param fromInbox whether the inbox held the post
 */
record FeedEntry(Post post, boolean fromInbox) {}
