package io.feedkit.internal.read;

import io.feedkit.spi.Order;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;

/** Where a walk through a range of positions ends, in either direction. */
final class ScanEnd {

    private ScanEnd() {}

    /** The end of a range. */
    static Position of(PositionRange range, Order order) {
        return order == Order.NEWEST_FIRST ? range.from() : range.below();
    }

    /** The end of the millisecond of a position that a walk has reached. */
    static Position ofMillisecond(Position reached, Order order) {
        return new Position(order == Order.NEWEST_FIRST ? reached.millis() : reached.millis() + 1, "", "");
    }

    /** The part of a range that is left when a walk has reached a position. */
    static PositionRange after(PositionRange range, Order order, Position reached) {
        return order == Order.NEWEST_FIRST
                ? new PositionRange(range.from(), Position.max(range.from(), reached))
                : new PositionRange(reached, range.below());
    }

    /** The part of a range that ends no later than at a position. */
    static PositionRange upTo(PositionRange range, Order order, Position end) {
        return order == Order.NEWEST_FIRST
                ? new PositionRange(Position.max(range.from(), end), range.below())
                : new PositionRange(range.from(), Position.min(range.below(), end));
    }
}
