package io.feedkit;

import java.util.List;
import java.util.Optional;

/**
 * A page of a feed with the host's content.
 *
 * @param items the content, in the order of {@link FeedPage#posts()}; posts without content are left out, and replaced by further posts
 * @param older as in {@link FeedPage#older()}
 * @param newer as in {@link FeedPage#newer()}
 * @param moreNewer as in {@link FeedPage#moreNewer()}
 * @param <T> the host's content
 */
public record HydratedPage<T>(List<T> items, Optional<Cursor> older, Cursor newer, boolean moreNewer) {

    /** Copies the items. */
    public HydratedPage {
        items = List.copyOf(items);
    }
}
