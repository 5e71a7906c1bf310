package io.feedkit.examples.microblog.timeline;

import io.feedkit.Cursor;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.examples.microblog.web.PageBounds;
import io.feedkit.examples.microblog.web.Snowflakes;

/**
 * Ids as places in a feed. An id says its time, so it is a place even if its status is gone. Posts of one time and id
 * are in the order of their authors; the place is below or above all authors, which leaves the id's own status out.
 */
public final class Places {

    private static final String BELOW_ALL_AUTHORS = "!";
    private static final String ABOVE_ALL_AUTHORS = "~";

    private Places() {}

    /** The page between bounds: right above {@code min_id}, or else the newest one. */
    public static PageRequest request(PageBounds bounds) {
        if (bounds.minId().isPresent()) {
            PageRequest above = PageRequest.newer(after(bounds.minId().getAsLong()), bounds.limit());
            return bounds.maxId().isPresent()
                    ? above.until(before(bounds.maxId().getAsLong()))
                    : above;
        }
        return bounds.maxId().isPresent()
                ? below(before(bounds.maxId().getAsLong()), bounds)
                : cut(PageRequest.first(bounds.limit()), bounds);
    }

    /** The page right below a place, cut at {@code since_id}. */
    static PageRequest below(Cursor place, PageBounds bounds) {
        return cut(PageRequest.older(place, bounds.limit()), bounds);
    }

    private static PageRequest cut(PageRequest page, PageBounds bounds) {
        return bounds.sinceId().isPresent() ? page.until(after(bounds.sinceId().getAsLong())) : page;
    }

    private static Cursor before(long id) {
        return at(id, BELOW_ALL_AUTHORS);
    }

    /** The place right above a status, up to which a reader has seen everything. */
    public static Cursor after(long id) {
        return at(id, ABOVE_ALL_AUTHORS);
    }

    private static Cursor at(long id, String author) {
        return Cursor.of(Post.of(author, Long.toString(id), Snowflakes.millis(id)));
    }
}
