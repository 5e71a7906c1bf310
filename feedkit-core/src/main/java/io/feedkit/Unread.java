package io.feedkit;

/**
 * How many posts of a feed are unread, counted up to a cap.
 *
 * @param count the posts, from 0 to {@link FeedEngineBuilder#unreadCap}
 * @param capped whether there are, or may be, more than {@code count} unread posts: counting ended at the cap, or at
 *     the bound of posts that a filter may hide. A badge then shows "{@code count}+"
 * @since 0.1.0
 */
public record Unread(long count, boolean capped) {

    /** "20", or "999+" if the count is capped. */
    @Override
    public String toString() {
        return capped ? count + "+" : Long.toString(count);
    }
}
