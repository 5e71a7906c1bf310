package io.feedkit.jdbc.internal.log;

/** Durations that can be added to any time without overflow. */
final class Durations {

    private static final long LONGEST = Long.MAX_VALUE / 4;

    private Durations() {}

    /** The duration, or one that is as good as for ever. */
    static long bounded(long millis) {
        return Math.min(millis, LONGEST);
    }
}
