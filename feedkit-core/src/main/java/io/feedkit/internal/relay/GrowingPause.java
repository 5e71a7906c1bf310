package io.feedkit.internal.relay;

import java.time.Clock;

/** A pause after a failure. It doubles with each further failure, up to five seconds. Thread-safe for one writer. */
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
    private volatile Pause pause = NONE;

    GrowingPause(Clock clock) {
        this.clock = clock;
    }

    boolean isOver() {
        return pause.isOver(clock.millis());
    }

    /** Begins a pause that is twice as long as the one before. */
    void begin() {
        pause = new Pause(clock.millis(), Math.min(LONGEST_MILLIS, Math.max(FIRST_MILLIS, 2 * pause.millis())));
    }

    /** Ends the pause: the next one will be short. */
    void end() {
        pause = NONE;
    }
}
