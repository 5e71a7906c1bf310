package io.feedkit.jdbc.internal.inbox;

import io.feedkit.spi.InboxLimits;

/** Lengths of time that can be added to any time without overflow. */
final class Windows {

    private static final long LONGEST = Long.MAX_VALUE / 4;
    private static final long LONGEST_UNRECORDED = 10_000;
    private static final int PARTS_OF_WINDOW = 10_000;

    private Windows() {}

    /** The length, or one that is as good as for ever. */
    static long bounded(long millis) {
        return Math.min(millis, LONGEST);
    }

    /** For how long after one renewal another is not worth a write. */
    static long unrecorded(InboxLimits limits) {
        return Math.min(limits.liveWindowMillis() / PARTS_OF_WINDOW, LONGEST_UNRECORDED);
    }
}
