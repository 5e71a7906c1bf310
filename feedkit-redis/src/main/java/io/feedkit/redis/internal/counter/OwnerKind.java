package io.feedkit.redis.internal.counter;

import io.feedkit.spi.counter.Space;

/** How long the data of the owners of a space are kept, and in which order. */
enum OwnerKind {
    /** Until they are forgotten. */
    LASTING(""),
    /** Until their user has been idle for long. */
    OF_USER("e"),
    /** Until they are forgotten, with the members in the order of their numbers. */
    ORDERED("c"),
    /** Until they are forgotten, with the members of a large set in the order of their kinds and numbers. */
    PAGED("l");

    private final String letter;

    OwnerKind(String letter) {
        this.letter = letter;
    }

    static OwnerKind of(Space space) {
        return switch (space) {
            case TYPES, ANNOUNCEMENTS_SEEN, DOTS, VIEWS -> OF_USER;
            case CONVERSATION, ANNOUNCEMENTS -> ORDERED;
            // A reaction must last as long as it counts.
            case REACTIONS -> PAGED;
            // A user's list of conversations must last as long as the marks in those conversations, because the marks
            // are found by the list when the user is forgotten.
            case CONVERSATIONS, DOT, COUNTERS, POSTS -> LASTING;
        };
    }

    /** Whether sets may have an order. */
    boolean hasOrder() {
        return this == ORDERED || this == PAGED;
    }

    /** The letter for scripts. */
    String letter() {
        return letter;
    }
}
