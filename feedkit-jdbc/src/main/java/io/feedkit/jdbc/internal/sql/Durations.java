package io.feedkit.jdbc.internal.sql;

/** Durations that can be added to any time without overflow. */
public final class Durations {

    private static final long LONGEST = Long.MAX_VALUE / 4;

    private Durations() {}

    /** The duration, or the longest one, which is as good as for ever. */
    public static long bounded(long millis) {
        return Math.min(millis, LONGEST);
    }
}
