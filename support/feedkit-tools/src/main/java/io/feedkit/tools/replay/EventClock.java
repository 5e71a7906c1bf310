package io.feedkit.tools.replay;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that shows the time of the latest event so far. It does not move between events, and never goes back. It may
 * have a second clock as its lower bound: then it shows the later of the two times. Thread-safe.
 */
final class EventClock extends Clock {

    private final AtomicLong millis = new AtomicLong();
    private final Clock atLeast;

    /** A clock that only events advance. */
    EventClock() {
        this(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
    }

    /** A clock that is never behind another. */
    EventClock(Clock atLeast) {
        this.atLeast = atLeast;
    }

    /** Advances to a time, unless the clock is already past it. */
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
        throw new UnsupportedOperationException("an event clock has no time zones");
    }
}
