package io.feedkit.internal.read;

import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;

/**
 * The plan of a walk over a feed.
 *
 * @param reader the reader whose feed is walked
 * @param range the range of the walk
 * @param order the direction of the walk
 * @param visit whether the reader visits the feed; a visit builds the inbox, or keeps it live
 * @param sources the sources of the walk's posts
 */
record Walk(String reader, PositionRange range, Order order, boolean visit, Sources sources) {

    /** The sources from which posts may come. */
    enum Sources {
        ALL,

        /** Outboxes only: the inbox store is known to be down, and the caller has a permit to read without it. */
        OUTBOXES,

        /** The inbox, and what the engine remembers: the source of truth is known to be down. */
        INBOX
    }
}
