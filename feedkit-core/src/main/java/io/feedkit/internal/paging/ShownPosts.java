package io.feedkit.internal.paging;

import io.feedkit.Post;
import io.feedkit.spi.Position;
import io.feedkit.spi.SeenPosts;
import io.feedkit.spi.SeenPosts.Listed;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes which posts a client has been shown by the end of a page. The page's cursor for newer posts records them.
 *
 * <p>The position of such a cursor is never above the present of the engine that creates it, because other authors
 * publish posts that are dated at the present or later. Shown posts that are dated ahead of the present are listed in
 * the cursor instead. A page may hold such posts, because engines' clocks differ.
 */
public final class ShownPosts {

    private ShownPosts() {}

    /**
     * Returns the posts that have been shown after a page that was read downwards. Posts below the page's end belong to
     * the next page; they are not late. But all posts above the cursor's position are listed, even if the page ends
     * among them.
     *
     * @param page the page
     * @param present the time of the request, in milliseconds; the cursor of an empty page is at this time
     */
    public static SeenPosts downwards(ReadPage<?> page, long present) {
        Position end = endOf(present);
        Position place = page.highest().map(top -> Position.min(top, end)).orElse(end);
        long since = page.resume()
                .map(last -> Math.min(last.millis() + 1, end.millis()))
                .orElse(0L);
        return SeenPosts.of(place, Listed.first(since), keys(List.of(), page.posts()));
    }

    /**
     * Returns the posts that have been shown after a page that was read upwards. If the page broke off before it was
     * full, and did not pass the position at which it began, the next page begins at a higher millisecond. Otherwise
     * the next page would break off at the same post again.
     *
     * @param before the posts that had been shown before
     * @param page the page
     * @param full whether the page had as many posts as requested
     * @param present the time of the request, in milliseconds
     */
    public static SeenPosts upwards(SeenPosts before, ReadPage<?> page, boolean full, long present) {
        Position end = endOf(present);
        Position reached = page.resume().or(page::highest).orElse(before.upTo());
        Position highest = Position.max(before.upTo(), reached);
        List<Listed> keys = keys(before.listed(), page.posts());
        boolean stuck = page.resume().isPresent()
                && !full
                && (reached.compareTo(before.upTo()) <= 0 || reached.compareTo(end) > 0);
        if (stuck) {
            Listed next = Listed.first(Math.max(reached.millis(), before.since().millis() + 1));
            return SeenPosts.of(highest, next, keys);
        }
        boolean beginsAhead = before.since().compareTo(Listed.first(end.millis())) > 0;
        return SeenPosts.of(
                Position.min(highest, beginsAhead ? Position.max(before.upTo(), end) : end), before.since(), keys);
    }

    /**
     * Returns the posts that have been shown after one more post that became visible.
     *
     * @param before the posts that had been shown before
     * @param post the post
     * @param present the present time, in milliseconds
     */
    public static SeenPosts with(SeenPosts before, Post post, long present) {
        Position end = endOf(present);
        Position highest = Position.max(before.upTo(), Position.of(post));
        Position place = highest.compareTo(end) <= 0 ? highest : Position.max(before.upTo(), end);
        return SeenPosts.of(place, before.since(), keys(before.listed(), List.of(post)));
    }

    /** The end of a millisecond. Posts of the millisecond lie below it. */
    private static Position endOf(long millis) {
        return new Position(millis + 1, "", "");
    }

    private static List<Listed> keys(List<Listed> listed, List<Post> posts) {
        List<Listed> keys = new ArrayList<>(listed);
        posts.forEach(post -> keys.add(Listed.of(post)));
        return keys;
    }
}
