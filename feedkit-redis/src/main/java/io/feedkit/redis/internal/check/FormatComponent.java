package io.feedkit.redis.internal.check;

/** A component of a store that has its own format version. */
public enum FormatComponent {
    /** The inboxes, which may be lost. */
    INBOX("inbox", 1),
    /** Posts, the fan-out log, the pulled register, follows and marks, which may not be lost. */
    SOURCE_OF_TRUTH("truth", 1),
    /** Counters, which may not be lost. */
    COUNTERS("counters", 1),
    /** Changes of counters that are not written to the source of truth yet. */
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
