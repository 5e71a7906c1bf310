package io.feedkit.redis.internal.check;

/** A part of a store, with a format of its own. */
public enum Part {
    /** The inboxes, which may be lost. */
    INBOX("inbox", 1),
    /** Posts, the log, the register, follows and marks, which may not. */
    TRUTH("truth", 1),
    /** Numbers, which may not be lost either. */
    COUNTERS("counters", 1),
    /** Changes of numbers that are not written to the source of truth yet. */
    LATE("late", 1);

    private final String label;
    private final int version;

    Part(String label, int version) {
        this.label = label;
        this.version = version;
    }

    String label() {
        return label;
    }

    int version() {
        return version;
    }
}
