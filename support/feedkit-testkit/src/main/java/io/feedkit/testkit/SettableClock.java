package io.feedkit.testkit;

import io.feedkit.internal.check.Arguments;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that stands still until a test moves it. Give it to a store, or to an engine under test, and let time pass
 * without waiting.
 *
 * <p>It may be set back, as real clocks are. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class SettableClock extends Clock {

    private final Hands hands;
    private final ZoneId zone;

    private SettableClock(Hands hands, ZoneId zone) {
        this.hands = hands;
        this.zone = zone;
    }

    /** The state that the views of one clock share. */
    private static final class Hands {
        private Instant now;

        Hands(Instant now) {
            this.now = now;
        }

        synchronized Instant now() {
            return now;
        }

        synchronized void set(Instant instant) {
            now = instant;
        }

        synchronized Instant advance(Duration duration) {
            now = now.plus(duration);
            return now;
        }
    }

    /**
     * A clock in UTC.
     *
     * @param start the time that it shows at first
     * @return the clock
     */
    public static SettableClock startingAt(Instant start) {
        return new SettableClock(new Hands(Arguments.nonNull("start", start)), ZoneOffset.UTC);
    }

    /**
     * Sets the clock, forwards or back.
     *
     * @param instant the time that it shows from now on
     */
    public void set(Instant instant) {
        hands.set(Arguments.nonNull("instant", instant));
    }

    /**
     * Moves the clock; concurrent moves add up.
     *
     * @param duration how far to move; a negative duration moves the clock back
     * @return the time that it shows after this move
     */
    public Instant advance(Duration duration) {
        return hands.advance(Arguments.nonNull("duration", duration));
    }

    @Override
    public Instant instant() {
        return hands.now();
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    /**
     * A view of this clock in another zone: setting one sets both.
     *
     * @param zone the zone
     * @return the view
     */
    @Override
    public SettableClock withZone(ZoneId zone) {
        return new SettableClock(hands, Arguments.nonNull("zone", zone));
    }

    @Override
    public String toString() {
        return "SettableClock[" + hands.now() + ", " + zone + "]";
    }
}
