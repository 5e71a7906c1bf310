package io.feedkit.internal.relay;

import java.time.Clock;

/** A pause after a failure. It doubles with each further failure, up to a bound. Thread-safe. */
final class GrowingPause {

    private static final long FIRST_MILLIS = 100;
    private static final long LONGEST_MILLIS = 5_000;

    private record Pause(long begin, long millis) {

        boolean isOver(long now) {
            return now < begin || now - begin >= millis;
        }
    }

    private static final Pause NONE = new Pause(0, 0);

    private final Clock clock;
    private final long firstMillis;
    private final long longestMillis;
    private volatile Pause pause = NONE;

    GrowingPause(Clock clock, long firstMillis, long longestMillis) {
        this.clock = clock;
        this.firstMillis = firstMillis;
        this.longestMillis = longestMillis;
    }

    /** A pause of 100 milliseconds at first, and five seconds at most. */
    static GrowingPause untilNextTry(Clock clock) {
        return new GrowingPause(clock, FIRST_MILLIS, LONGEST_MILLIS);
    }

    boolean isOver() {
        return pause.isOver(clock.millis());
    }

    /** Begins a pause that is twice as long as the one before. */
    synchronized void begin() {
        pause = new Pause(clock.millis(), Math.min(longestMillis, Math.max(firstMillis, 2 * pause.millis())));
    }

    /** Ends the pause: the next one will be short. */
    synchronized void end() {
        pause = NONE;
    }
}
