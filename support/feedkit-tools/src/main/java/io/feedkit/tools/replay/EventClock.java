package io.feedkit.tools.replay;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that follows the events: it stands still between them, and never goes back; or goes by another, and ahead of
 * that only for events that are. Thread-safe.
 */
final class EventClock extends Clock {

    private final AtomicLong millis = new AtomicLong();
    private final Clock atLeast;

    /** A clock that only events move. */
    EventClock() {
        this(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
    }

    /** A clock that is never behind another. */
    EventClock(Clock atLeast) {
        this.atLeast = atLeast;
    }

    /** Moves on to a time, unless it has passed already. */
    void advanceTo(long eventMillis) {
        millis.accumulateAndGet(eventMillis, Math::max);
    }

    @Override
    public long millis() {
        return Math.max(millis.get(), atLeast.millis());
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("an event clock has no zones");
    }
}
