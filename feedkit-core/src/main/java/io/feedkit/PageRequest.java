package io.feedkit;

import io.feedkit.internal.check.Arguments;
import io.feedkit.internal.paging.ReadPage;
import io.feedkit.internal.paging.ShownPosts;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import org.jspecify.annotations.Nullable;

/** Which page of a feed is wanted. Immutable. */
public final class PageRequest {

    /** The largest page: enough for every screen, and a bound for what a careless client can ask for. */
    public static final int MAX_LIMIT = 1000;

    private final PositionRange range;
    private final Order order;
    private final int limit;
    private final @Nullable Cursor cursor;
    private final ShownPosts before;

    private PageRequest(PositionRange range, Order order, int limit, @Nullable Cursor cursor) {
        this(range, order, limit, cursor, ShownPosts.NOTHING);
    }

    private PageRequest(PositionRange range, Order order, int limit, @Nullable Cursor cursor, ShownPosts before) {
        Arguments.between("limit", limit, 1, MAX_LIMIT);
        this.range = range;
        this.order = order;
        this.limit = limit;
        this.cursor = cursor;
        this.before = before;
    }

    /**
     * The newest posts.
     *
     * @param limit the most posts wanted, 1 to {@value #MAX_LIMIT}
     * @return the request
     * @throws IllegalArgumentException if the limit is out of range
     */
    public static PageRequest first(int limit) {
        return new PageRequest(PositionRange.ALL, Order.NEWEST_FIRST, limit, null);
    }

    /**
     * The posts right below a cursor.
     *
     * @param cursor where to go on, usually {@link FeedPage#older()}
     * @param limit the most posts wanted, 1 to {@value #MAX_LIMIT}
     * @return the request
     * @throws IllegalArgumentException if the cursor is null or the limit out of range
     */
    public static PageRequest older(Cursor cursor, int limit) {
        return new PageRequest(PositionRange.below(position(cursor)), Order.NEWEST_FIRST, limit, cursor);
    }

    /**
     * The new posts since a cursor: the posts right above it, and posts that arrived late below it. The page adjoins
     * the cursor; it is not the newest page. A client that polls repeats this request with each page's
     * {@link FeedPage#newer()}, and at once if {@link FeedPage#moreNewer()} is true. The client gets:
     *
     * <ul>
     *   <li>Every post above the cursor that is visible at the call, without a gap.
     *   <li>Every post below the cursor that became visible after the earlier pages were read, if it lies within the
     *       lookback of the cursor. A post arrives late, for example, if its push took longer than the push of a newer
     *       post.
     *   <li>No post twice.
     * </ul>
     *
     * <p>The lookback ends 10 seconds below the cursor, by the times of posts. It ends earlier in three cases:
     *
     * <ul>
     *   <li>More than 16 posts were shown in these 10 seconds. Then it covers the newest 16 of them, less the posts of
     *       a millisecond that is not covered as a whole.
     *   <li>The first page ended within these 10 seconds, and there are older posts. Then it ends above the page's last
     *       millisecond.
     *   <li>A page broke off at the {@linkplain FeedEngineBuilder#maxScannedPerPage scan limit} below the cursor,
     *       because too many posts there are hidden or have no content.
     * </ul>
     *
     * <p>Posts that arrive below the lookback are on the next {@linkplain #first first page}.
     *
     * <p>Only a cursor of {@link FeedPage#newer()} has a lookback. Other requests use only its place, and may show
     * posts again.
     *
     * @param cursor where to go on, usually {@link FeedPage#newer()}
     * @param limit the most posts wanted, 1 to {@value #MAX_LIMIT}
     * @return the request
     * @throws IllegalArgumentException if the cursor is null or the limit out of range
     */
    public static PageRequest newer(Cursor cursor, int limit) {
        ShownPosts before = shown(cursor);
        return new PageRequest(before.rest(), Order.OLDEST_FIRST, limit, cursor, before);
    }

    /**
     * The post at a cursor, and the posts right below it.
     *
     * @param cursor where to begin
     * @param limit the most posts wanted, 1 to {@value #MAX_LIMIT}
     * @return the request
     * @throws IllegalArgumentException if the cursor is null or the limit out of range
     */
    public static PageRequest atOrOlder(Cursor cursor, int limit) {
        return new PageRequest(PositionRange.below(position(cursor).next()), Order.NEWEST_FIRST, limit, cursor);
    }

    /**
     * The post at a cursor, and the posts right above it. Posts that arrived late below the cursor are not on the page.
     *
     * @param cursor where to begin
     * @param limit the most posts wanted, 1 to {@value #MAX_LIMIT}
     * @return the request
     * @throws IllegalArgumentException if the cursor is null or the limit out of range
     */
    public static PageRequest atOrNewer(Cursor cursor, int limit) {
        return new PageRequest(PositionRange.from(position(cursor)), Order.OLDEST_FIRST, limit, cursor);
    }

    /**
     * The most posts wanted.
     *
     * @return 1 to {@value #MAX_LIMIT}
     */
    public int limit() {
        return limit;
    }

    PositionRange range() {
        return range;
    }

    Order order() {
        return order;
    }

    /** The posts that the page leaves out, because the client has them. */
    ShownPosts before() {
        return before;
    }

    /** The cursor where newer posts begin. {@code askedAt} is the time of the request, in milliseconds. */
    Cursor newerThan(ReadPage<?> page, long askedAt) {
        if (cursor != null && order == Order.OLDEST_FIRST) {
            return Cursor.of(cursor.shown()
                    .upwards(page.posts(), page.resume(), page.posts().size() == limit));
        }
        if (cursor != null && page.posts().isEmpty()) {
            return cursor;
        }
        Position top = page.highest().orElseGet(() -> new Position(askedAt, "", ""));
        return Cursor.of(ShownPosts.downwards(top, page.posts(), page.resume()));
    }

    private static Position position(Cursor cursor) {
        return shown(cursor).upTo();
    }

    private static ShownPosts shown(Cursor cursor) {
        if (cursor == null) {
            throw new IllegalArgumentException("cursor must not be null");
        }
        return cursor.shown();
    }

    @Override
    public String toString() {
        return order + " " + range + " limit " + limit;
    }
}
