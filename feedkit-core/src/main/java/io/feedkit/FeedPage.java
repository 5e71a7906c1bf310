package io.feedkit;

import java.util.List;
import java.util.Optional;

/**
 * A page of a feed.
 *
 * @param posts the posts, newest first; a page with few posts, or none, is not necessarily the last
 * @param older where older posts begin. On a page read downwards it is absent only at the true end of the feed; on a page read upwards only if the page is
 *     empty
 * @param newer where newer posts begin, for {@link PageRequest#newer}; always present, also for an empty feed
 * @param moreNewer whether a page read upwards ended before the top of the feed; always false on a page read downwards
 */
public record FeedPage(List<Post> posts, Optional<Cursor> older, Cursor newer, boolean moreNewer) {

    /** Copies the posts. */
    public FeedPage {
        posts = List.copyOf(posts);
    }
}
