package io.feedkit.bench.scale.outage;

/** A change that is requested at one time, and acknowledged at a later one, in milliseconds. Thread-safe. */
final class Transition {

    private static final long NOT_YET = Long.MAX_VALUE;

    private volatile long asked = NOT_YET;
    private volatile long acknowledged = NOT_YET;

    /** A transition that ended before all others. */
    static Transition longAgo() {
        Transition over = new Transition();
        over.asked = 0;
        over.acknowledged = 0;
        return over;
    }

    void ask() {
        if (asked == NOT_YET) {
            asked = System.currentTimeMillis();
        }
    }

    void acknowledge() {
        acknowledged = System.currentTimeMillis();
    }

    /** Whether the transition had certainly ended before a time. */
    boolean isOver(long before) {
        return acknowledged < before;
    }

    /** Whether the transition may have happened up to a time. */
    boolean mayHaveBegun(long upTo) {
        return asked <= upTo;
    }
}
