package io.feedkit.internal.view;

import io.feedkit.internal.paging.FeedAuthors;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;

/**
 * The plan of a walk over a feed.
 *
 * @param reader the reader whose feed is walked
 * @param authors the authors whose posts the walk shows
 * @param range the range of the walk
 * @param order the direction of the walk
 * @param visit whether the reader visits the feed; a visit builds the inbox, or keeps it live
 * @param freshness how old the register may be
 * @param beyondInbox whether earlier pages of the walk were read from the outboxes, although an inbox could have been
 *     used. The walk continues in the outboxes, because it began with posts that the inbox may not hold yet
 */
public record Walk(
        String reader,
        FeedAuthors authors,
        PositionRange range,
        Order order,
        boolean visit,
        Freshness freshness,
        boolean beyondInbox) {

    /** How old the register may be, and so how long a page may show a post that was deleted by another engine. */
    public enum Freshness {
        /** Within the staleness bound. */
        CURRENT,

        /** Of a moment during the read: the page respects every delete that has returned. */
        LATEST,

        /** Of any age that pages may have while the source of truth is down. Only the inbox and caches are read. */
        CACHED
    }

    /**
     * The plan of a page that a reader requested.
     *
     * @param authors the authors whose posts the walk shows
     * @param beyondInbox as in the record
     */
    public static Walk visit(
            String reader, FeedAuthors authors, PositionRange range, Order order, boolean beyondInbox) {
        return new Walk(reader, authors, range, order, true, Freshness.CURRENT, beyondInbox);
    }

    /** The plan of a count: a walk from the top that is not a visit. */
    public static Walk count(String reader, PositionRange range) {
        return new Walk(reader, FeedAuthors.FOLLOWEES, range, Order.NEWEST_FIRST, false, Freshness.CURRENT, false);
    }

    /** The same walk with another freshness. */
    public Walk with(Freshness other) {
        return new Walk(reader, authors, range, order, visit, other, beyondInbox);
    }

    /** Whether the walk has only the inbox and the engine's caches. */
    public boolean isCached() {
        return freshness == Freshness.CACHED;
    }

    /** Whether the walk begins at the top of the feed, wherever it ends. */
    boolean isFromTop() {
        return order == Order.NEWEST_FIRST && range.below().equals(PositionRange.ALL.below());
    }
}
