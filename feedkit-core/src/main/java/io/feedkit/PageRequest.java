package io.feedkit;

import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which page of a feed is wanted. Immutable. */
public final class PageRequest {

    /** The largest page: enough for every screen, and a bound for what a careless client can ask for. */
    public static final int MAX_LIMIT = 1000;

    private final PositionRange range;
    private final Order order;
    private final int limit;
    private final @Nullable Cursor cursor;

    private PageRequest(PositionRange range, Order order, int limit, @Nullable Cursor cursor) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be between 1 and " + MAX_LIMIT + ", but is " + limit);
        }
        this.range = range;
        this.order = order;
        this.limit = limit;
        this.cursor = cursor;
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
     * The posts right above a cursor: the page that adjoins it, not the newest one, so that a client that repeats it with each page's
     * {@link FeedPage#newer()} misses nothing.
     *
     * @param cursor where to go on, usually {@link FeedPage#newer()}
     * @param limit the most posts wanted, 1 to {@value #MAX_LIMIT}
     * @return the request
     * @throws IllegalArgumentException if the cursor is null or the limit out of range
     */
    public static PageRequest newer(Cursor cursor, int limit) {
        return new PageRequest(PositionRange.from(position(cursor).next()), Order.OLDEST_FIRST, limit, cursor);
    }

    /**
     * As {@link #older}, and the post at the cursor itself.
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
     * As {@link #newer}, and the post at the cursor itself.
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

    Optional<Cursor> cursor() {
        return Optional.ofNullable(cursor);
    }

    private static Position position(Cursor cursor) {
        if (cursor == null) {
            throw new IllegalArgumentException("cursor must not be null");
        }
        return cursor.position();
    }

    @Override
    public String toString() {
        return order + " " + range + " limit " + limit;
    }
}
