package io.feedkit;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A page of a feed: of posts, or of what the host loads for them. Immutable.
 *
 * @param items the posts or their content, newest first; a page with few items, or none, is not necessarily the last.
 *     On a page of {@link PageRequest#newer}, posts that arrived late stand in the order of time, below the new posts.
 *     The client may already show posts that belong between them
 * @param older where older posts begin: those below the lowest post of the page, shown before or not. On a page read
 *     downwards it is absent only at the true end of the feed; on a page read upwards only if the page is empty
 * @param newer where newer posts begin, for {@link PageRequest#newer}; always present. For an empty page it is the
 *     cursor of the request; for an empty first page, the time of the request by the engine's clock, with a lookback of
 *     10 seconds
 * @param moreNewer whether a page read upwards ended before the top of the feed; always false on a page read downwards
 * @param caveats why the page may be incomplete or stale; empty unless a setting of the host allows such pages
 * @param <T> a post, or the host's content
 */
public record FeedPage<T>(List<T> items, Optional<Cursor> older, Cursor newer, boolean moreNewer, Set<Caveat> caveats) {

    /** Why a page may be incomplete or stale. */
    public enum Caveat {

        /** The source of truth could not be reached: see {@link FeedEngineBuilder#staleIfError}. */
        STALE,

        /** The reader follows more authors than a feed is read from: see {@link FeedEngineBuilder#maxFollowees}. */
        SOME_FOLLOWEES
    }

    /** Copies the items. */
    public FeedPage {
        items = List.copyOf(items);
        caveats = Set.copyOf(caveats);
    }
}
