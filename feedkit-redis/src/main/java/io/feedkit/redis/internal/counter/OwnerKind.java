package io.feedkit.redis.internal.counter;

import io.feedkit.spi.CounterStore.Space;

/** How the owners of a space are kept. */
enum OwnerKind {
    /** Until they are forgotten. */
    LASTING(""),
    /** Until their user has been idle for long. */
    OF_USER("e"),
    /** Until they are forgotten, and with the members in the order of their numbers. */
    ORDERED("c");

    private final String letter;

    OwnerKind(String letter) {
        this.letter = letter;
    }

    static OwnerKind of(Space space) {
        return switch (space) {
            case TYPES, ANNOUNCEMENTS_SEEN, DOTS, REACTIONS, VIEWS -> OF_USER;
            case CONVERSATION -> ORDERED;
            // A user's list lasts as long as the marks, which are with the conversations: it is what forgets them.
            case CONVERSATIONS, ANNOUNCEMENTS, DOT, COUNTERS, POSTS -> LASTING;
        };
    }

    /** What scripts are told. */
    String letter() {
        return letter;
    }
}
