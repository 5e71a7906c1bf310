package io.feedkit.survival.chaos;

/**
 * How wrong the clocks of engines are.
 *
 * @param behind the milliseconds by which a clock may be behind, not negative
 * @param ahead the milliseconds by which a clock may be ahead, not negative
 */
record Skew(long behind, long ahead) {

    /** All clocks are right. */
    static final Skew NONE = new Skew(0, 0);

    /** Clocks up to this wrong, in both directions. */
    static Skew of(long millis) {
        return new Skew(millis, millis);
    }

    /** The earliest time that an engine can take for the present. */
    long earliest(long at) {
        return at - behind;
    }

    /** The latest time that an engine can take for the present. */
    long latest(long at) {
        return at + ahead;
    }
}
