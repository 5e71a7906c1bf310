package io.feedkit.examples.replay;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that follows the events: it stands still between them, and never goes back. Thread-safe. */
final class EventClock extends Clock {

    private final AtomicLong millis = new AtomicLong();

    /** Moves on to a time, unless it has passed already. */
    void advanceTo(long eventMillis) {
        millis.accumulateAndGet(eventMillis, Math::max);
    }

    @Override
    public long millis() {
        return millis.get();
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
