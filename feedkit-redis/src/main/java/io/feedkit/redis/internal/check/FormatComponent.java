package io.feedkit.redis.internal.check;

/** A part of a store, with a format of its own. */
public enum FormatComponent {
    /** The inboxes, which may be lost. */
    INBOX("inbox", 1),
    /** Posts, the log, the register, follows and marks, which may not. */
    SOURCE_OF_TRUTH("truth", 1),
    /** Numbers, which may not be lost either. */
    COUNTERS("counters", 1),
    /** Changes of numbers that are not written to the source of truth yet. */
    PENDING_CHANGES("late", 1);

    private final String label;
    private final int version;

    FormatComponent(String label, int version) {
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
