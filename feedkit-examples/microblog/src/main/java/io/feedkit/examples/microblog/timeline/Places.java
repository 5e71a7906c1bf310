package io.feedkit.examples.microblog.timeline;

import io.feedkit.Cursor;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.examples.microblog.web.ListPage;
import io.feedkit.examples.microblog.web.PageBounds;
import io.feedkit.examples.microblog.web.Snowflakes;
import java.util.Optional;
import java.util.function.Function;

/**
 * Ids as places in a feed. An id says its time, so it is a place even if its status is gone. Posts of one time and id
 * are in the order of their authors; the place is below or above all authors, which leaves the id's own status out.
 */
public final class Places {

    private static final String BELOW_ALL_AUTHORS = "!";
    private static final String ABOVE_ALL_AUTHORS = "~";

    private Places() {}

    /**
     * Reads the page between bounds: right above {@code min_id}, or else the newest one. Reads on beyond pages without
     * items, which clients take for the end of the list.
     */
    public static <T> ListPage<T> read(PageBounds bounds, Function<PageRequest, ListPage<T>> read) {
        ListPage<T> page = read.apply(request(bounds));
        Optional<PageRequest> next = next(page, bounds);
        while (page.items().isEmpty() && next.isPresent()) {
            page = read.apply(next.get());
            next = next(page, bounds);
        }
        return page;
    }

    private static Optional<PageRequest> next(ListPage<?> page, PageBounds bounds) {
        if (bounds.minId().isPresent()) {
            return page.moreNewer() ? Optional.of(above(page.newer(), bounds)) : Optional.empty();
        }
        return page.older().map(place -> below(place, bounds));
    }

    private static PageRequest request(PageBounds bounds) {
        if (bounds.minId().isPresent()) {
            return above(after(bounds.minId().getAsLong()), bounds);
        }
        return bounds.maxId().isPresent()
                ? below(before(bounds.maxId().getAsLong()), bounds)
                : cut(PageRequest.first(bounds.limit()), bounds);
    }

    /** The page right above a place, cut at {@code max_id}. */
    private static PageRequest above(Cursor place, PageBounds bounds) {
        PageRequest page = PageRequest.newer(place, bounds.limit());
        return bounds.maxId().isPresent() ? page.until(before(bounds.maxId().getAsLong())) : page;
    }

    /** The page right below a place, cut at {@code since_id}. */
    private static PageRequest below(Cursor place, PageBounds bounds) {
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
