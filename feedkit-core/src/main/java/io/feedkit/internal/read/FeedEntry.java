package io.feedkit.internal.read;

import io.feedkit.Post;
import io.feedkit.spi.SeenPosts;
import java.util.List;

/**
 * A post of a feed.
 *
 * @param post the post
 * @param fromInbox whether the inbox held the post
 * @param early whether the post was found in an outbox, and later pages may look for it in the inbox, although it may
 *     not have been pushed yet
 */
record FeedEntry(Post post, boolean fromInbox, boolean early) {

    /** The entries whose posts are not in {@code shown}. */
    static List<FeedEntry> without(SeenPosts shown, List<FeedEntry> entries) {
        return shown.equals(SeenPosts.NOTHING)
                ? entries
                : entries.stream()
                        .filter(entry -> !shown.contains(entry.post()))
                        .toList();
    }
}
