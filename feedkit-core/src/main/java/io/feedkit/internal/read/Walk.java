package io.feedkit.internal.read;

import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;

/**
 * Where a walk over a feed leads.
 *
 * @param reader whose feed
 * @param range from where to where
 * @param order in which direction
 * @param visit whether it is a visit of the reader's, which builds an inbox, or keeps it live
 * @param sources where its posts may come from
 */
record Walk(String reader, PositionRange range, Order order, boolean visit, Sources sources) {

    /** Where posts may come from. */
    enum Sources {
        ALL,

        /** The inbox store is known to be down, and the caller has a permit to do without it. */
        OUTBOXES,

        /** The source of truth is known to be down: only from the inbox, and from what the engine remembers. */
        INBOX
    }
}
