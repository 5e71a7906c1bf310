package io.feedkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until it is moved. */
public final class ManualClock extends Clock {

    /** What new clocks show. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private volatile Instant now = START;

    public void advance(Duration duration) {
        set(now.plus(duration));
    }

    public void set(Instant instant) {
        now = instant;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
