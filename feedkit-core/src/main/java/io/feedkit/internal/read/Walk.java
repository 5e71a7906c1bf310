package io.feedkit.internal.read;

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
 * @param sources the sources of the walk's posts
 * @param beyondInbox whether earlier pages of the walk were read from the outboxes, although an inbox could have been
 *     used. The walk continues in the outboxes, because it began with posts that the inbox may not hold yet
 */
public record Walk(
        String reader,
        FeedAuthors authors,
        PositionRange range,
        Order order,
        boolean visit,
        Sources sources,
        boolean beyondInbox) {

    /**
     * The plan of a page that a reader requested.
     *
     * @param authors the authors whose posts the walk shows
     * @param beyondInbox as in the record
     */
    public static Walk visit(
            String reader, FeedAuthors authors, PositionRange range, Order order, boolean beyondInbox) {
        return new Walk(reader, authors, range, order, true, Sources.ALL, beyondInbox);
    }

    /** The same walk from other sources. */
    Walk from(Sources others) {
        return new Walk(reader, authors, range, order, visit, others, beyondInbox);
    }

    /** The sources from which posts may come. */
    public enum Sources {
        ALL,

        /** Outboxes only: the inbox store is known to be down, and the caller has a permit to read without it. */
        OUTBOXES,

        /** The inbox, and the engine's caches: the source of truth is known to be down. */
        INBOX
    }
}
