package io.feedkit;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.internal.check.Ids;
import io.feedkit.internal.paging.FeedAuthors;
import io.feedkit.internal.paging.ReadPage;
import io.feedkit.internal.paging.ShownPosts;
import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.SeenPosts;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request for a page of a feed: where the page begins, and optionally {@linkplain #until where it ends} and
 * {@linkplain #from whose posts} it shows. Immutable.
 *
 * @since 0.1.0
 */
public final class PageRequest {

    /** The largest page: enough for every screen, and a bound on the work that a careless client can cause. */
    public static final int MAX_LIMIT = 1000;

    /** The most authors of {@link #from} and {@link #and} together. */
    public static final int MAX_AUTHORS = 5000;

    private final PositionRange range;
    private final Order order;
    private final int limit;
    private final @Nullable Cursor cursor;
    private final SeenPosts before;
    private final FeedAuthors authors;

    private PageRequest(PositionRange range, Order order, int limit, @Nullable Cursor cursor) {
        this(range, order, limit, cursor, SeenPosts.NOTHING, FeedAuthors.FOLLOWEES);
    }

    private PageRequest(
            PositionRange range,
            Order order,
            int limit,
            @Nullable Cursor cursor,
            SeenPosts before,
            FeedAuthors authors) {
        InvalidRequestException.requireLimit(limit, MAX_LIMIT);
        this.range = range;
        this.order = order;
        this.limit = limit;
        this.cursor = cursor;
        this.before = before;
        this.authors = authors;
    }

    /**
     * Requests the newest posts.
     *
     * @param limit the most posts to return, 1 to {@value #MAX_LIMIT}
     * @return the request
     * @throws InvalidRequestException if the limit is out of range
     */
    public static PageRequest first(int limit) {
        return new PageRequest(PositionRange.ALL, Order.NEWEST_FIRST, limit, null);
    }

    /**
     * Requests the posts right below a cursor.
     *
     * @param cursor where to continue, usually {@link FeedPage#older()}
     * @param limit the most posts to return, 1 to {@value #MAX_LIMIT}
     * @return the request
     * @throws IllegalArgumentException if the cursor is null
     * @throws InvalidRequestException if the limit is out of range
     */
    public static PageRequest older(Cursor cursor, int limit) {
        return new PageRequest(PositionRange.below(position(cursor)), Order.NEWEST_FIRST, limit, cursor);
    }

    /**
     * Requests the new posts since a cursor: the posts right above it, and posts that arrived late below it. The page
     * adjoins the cursor; it is not the newest page. A client that polls repeats this request with each page's
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
     * <p>The lookback ends two minutes below the cursor, by the times of posts. It ends earlier in three cases:
     *
     * <ul>
     *   <li>The posts that were shown in these two minutes do not fit into the cursor. Then the lookback covers only
     *       the newest of them: about 50, or 89 with the same time.
     *   <li>The first page ended within these two minutes, and there are older posts. Then the lookback ends above the
     *       page's last millisecond.
     *   <li>A page ended at the {@linkplain FeedEngineBuilder.ReadSettings#maxScannedPerPage scan limit} below the
     *       cursor, because too many posts there are hidden or have no content.
     * </ul>
     *
     * <p>Posts that arrive below the lookback are on the next {@linkplain #first first page}.
     *
     * <p>Only a cursor of {@link FeedPage#newer()} has a lookback. Other requests use only the cursor's place, and may
     * return posts that were shown before.
     *
     * @param cursor where to continue, usually {@link FeedPage#newer()}
     * @param limit the most posts to return, 1 to {@value #MAX_LIMIT}
     * @return the request
     * @throws IllegalArgumentException if the cursor is null
     * @throws InvalidRequestException if the limit is out of range
     */
    public static PageRequest newer(Cursor cursor, int limit) {
        SeenPosts before = shown(cursor);
        return new PageRequest(before.rest(), Order.OLDEST_FIRST, limit, cursor, before, FeedAuthors.FOLLOWEES);
    }

    /**
     * Requests the post at a cursor, and the posts right below it.
     *
     * @param cursor where to begin
     * @param limit the most posts to return, 1 to {@value #MAX_LIMIT}
     * @return the request
     * @throws IllegalArgumentException if the cursor is null
     * @throws InvalidRequestException if the limit is out of range
     */
    public static PageRequest atOrOlder(Cursor cursor, int limit) {
        return new PageRequest(PositionRange.below(position(cursor).next()), Order.NEWEST_FIRST, limit, cursor);
    }

    /**
     * Requests the post at a cursor, and the posts right above it. Posts that arrived late below the cursor are not on
     * the page.
     *
     * @param cursor where to begin
     * @param limit the most posts to return, 1 to {@value #MAX_LIMIT}
     * @return the request
     * @throws IllegalArgumentException if the cursor is null
     * @throws InvalidRequestException if the limit is out of range
     */
    public static PageRequest atOrNewer(Cursor cursor, int limit) {
        return new PageRequest(PositionRange.from(position(cursor)), Order.OLDEST_FIRST, limit, cursor);
    }

    /**
     * Returns this request with an end. A page read downwards ends above the cursor's place; a page read upwards ends
     * below it. So a walk with an end fills the gap between two pages that a client shows. At the end of the walk,
     * {@link FeedPage#older()} is absent, or {@link FeedPage#moreNewer()} is false.
     *
     * @param end where the walk ends; its place is not included. To fill a gap downwards, {@link FeedPage#newer()} of
     *     the lower page; upwards, {@link FeedPage#older()} of the page above
     * @return the request
     * @throws IllegalArgumentException if the end is null
     */
    public PageRequest until(Cursor end) {
        Position place = position(nonNull("end", end));
        PositionRange part = order == Order.NEWEST_FIRST
                ? new PositionRange(Position.max(range.from(), place.next()), range.below())
                : new PositionRange(range.from(), Position.min(range.below(), place));
        return new PageRequest(part, order, limit, cursor, before, authors);
    }

    /**
     * Returns this request for the posts of the given authors, instead of the reader's followees: a list, a group, or
     * all authors of a place. The reader's filter applies. The posts are read from the outboxes. So each post shows as
     * soon as it is published, and the reader needs neither follows nor an inbox. Reading a list changes no follows,
     * and does not count as a visit to the reader's own feed. The read needs the source of truth, even with
     * {@link FeedEngineBuilder.ReadSettings#staleIfError}.
     *
     * <p>With {@link #and}, called before or after, the page shows the authors of both calls.
     *
     * @param authors the authors whose posts are shown; if empty, the page shows no posts
     * @return the request
     * @throws IllegalArgumentException if the authors are null, or one of them is not a legal id
     * @throws InvalidRequestException if there are more than {@value #MAX_AUTHORS} authors together
     */
    @Beta
    public PageRequest from(Collection<String> authors) {
        return with(this.authors.withoutFollowees().and(checked(authors)));
    }

    /**
     * Returns this request with the posts of further authors. These posts are merged into the feed without edges in the
     * follow graph, and are not counted as unread. Each of them shows as soon as it is published. A page with the
     * caveat {@link FeedPage.Caveat#STALE} leaves them out.
     *
     * @param authors the further authors; followees among them change nothing
     * @return the request
     * @throws IllegalArgumentException if the authors are null, or one of them is not a legal id
     * @throws InvalidRequestException if there are more than {@value #MAX_AUTHORS} authors together
     */
    @Beta
    public PageRequest and(Collection<String> authors) {
        return with(this.authors.and(checked(authors)));
    }

    private PageRequest with(FeedAuthors all) {
        if (all.others().size() > MAX_AUTHORS) {
            throw new InvalidRequestException("authors must be at most " + MAX_AUTHORS + ", but are "
                    + all.others().size());
        }
        return new PageRequest(range, order, limit, cursor, before, all);
    }

    private static Set<String> checked(Collection<String> authors) {
        return Set.copyOf(new HashSet<>(Ids.requireAll("author", "authors", authors)));
    }

    /**
     * The most posts to return.
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

    /** Whether the page continues a walk that reads from the outboxes instead of the inbox. */
    boolean isBeyondInbox() {
        return cursor != null && cursor.isBeyondInbox();
    }

    /** Whether this is a request of {@link #newer}, without an end and for the reader's followees. */
    boolean isNewer() {
        return order == Order.OLDEST_FIRST && authors.equals(FeedAuthors.FOLLOWEES) && range.equals(before.rest());
    }

    FeedAuthors authors() {
        return authors;
    }

    /** The posts that the page leaves out, because the client has them. */
    SeenPosts before() {
        return before;
    }

    /** The cursor where newer posts begin. {@code askedAt} is the time of the request, in milliseconds. */
    Cursor newerThan(ReadPage<?> page, long askedAt) {
        if (cursor != null && order == Order.OLDEST_FIRST) {
            return Cursor.of(
                    ShownPosts.upwards(cursor.shown(), page, page.posts().size() == limit, askedAt),
                    page.beyondInbox() && page.resume().isPresent());
        }
        return cursor != null && page.posts().isEmpty()
                ? cursor
                : Cursor.of(ShownPosts.downwards(endedAt(page), askedAt));
    }

    /** The page as one that continues below its end, because the posts there were not examined. */
    private <T> ReadPage<T> endedAt(ReadPage<T> page) {
        boolean ended = page.resume().isEmpty() && !range.from().equals(Position.LOWEST);
        return ended
                ? new ReadPage<>(
                        page.items(),
                        page.posts(),
                        Optional.of(range.from()),
                        page.beyondInbox(),
                        page.caveats(),
                        page.hides())
                : page;
    }

    private static Position position(Cursor cursor) {
        return shown(cursor).upTo();
    }

    private static SeenPosts shown(Cursor cursor) {
        if (cursor == null) {
            throw new IllegalArgumentException("cursor must not be null");
        }
        return cursor.shown();
    }

    @Override
    public String toString() {
        return order + " " + range + " limit " + limit
                + (authors.equals(FeedAuthors.FOLLOWEES) ? "" : " of " + authors);
    }
}
