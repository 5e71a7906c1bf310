package io.feedkit.testkit.model;

import io.feedkit.internal.check.Arguments;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/** An engine's own clock, which is ahead of the store's or behind it, and may be set back. Used by one thread. */
final class EngineClock extends Clock {

    private final Clock store;
    private long ahead;
    private long furthestAhead;
    private long setAt;

    EngineClock(Clock store) {
        this.store = Arguments.nonNull("store", store);
    }

    /** Sets the clock, forwards or back. */
    void set(long millisAhead) {
        ahead = millisAhead;
        furthestAhead = Math.max(furthestAhead, millisAhead);
        setAt = store.millis();
    }

    /**
     * The greatest possible age, by the store's clock, of data that is younger than {@code millis} by this clock. The
     * age is greater than {@code millis} if this clock was set back meanwhile.
     */
    long oldest(long millis) {
        long stretched = millis + furthestAhead - ahead;
        return store.millis() - setAt < stretched ? stretched : millis;
    }

    /** How far the clock is behind the store's, in milliseconds. */
    long behind() {
        return Math.max(0, -ahead);
    }

    @Override
    public Instant instant() {
        return store.instant().plusMillis(ahead);
    }

    @Override
    public ZoneId getZone() {
        return store.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("engines use no zones");
    }
}
