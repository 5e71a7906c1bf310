package io.feedkit.jdbc.internal.sql;

/** Durations that can be added to any time without overflow. */
public final class Durations {

    private static final long LONGEST = Long.MAX_VALUE / 4;

    private Durations() {}

    /** Returns the duration, but at most the longest one, which has the effect of no limit. */
    public static long bounded(long millis) {
        return Math.min(millis, LONGEST);
    }
}
