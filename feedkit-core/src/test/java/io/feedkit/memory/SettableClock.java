package io.feedkit.memory;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until it is moved. */
final class SettableClock extends Clock {

    private volatile long millis;

    SettableClock(long millis) {
        this.millis = millis;
    }

    void set(long newMillis) {
        millis = newMillis;
    }

    @Override
    public long millis() {
        return millis;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new IllegalArgumentException("zone must be UTC, but is " + zone);
    }
}
