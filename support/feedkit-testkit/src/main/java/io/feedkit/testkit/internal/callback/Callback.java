package io.feedkit.testkit.internal.callback;

import java.util.Optional;

/** The places where an engine calls its host. */
enum Callback {
    POLICY,
    FILTER,
    LOADER,
    /** The engine gets content from the map that a loader returned. */
    CONTENT,
    CLOCK,
    FOLLOWERS,
    FOLLOWEES,
    FOLLOWED,
    COUNTS,
    SPLIT,
    PUBLISHED,
    DELETED,
    DELIVERED,
    TASK_FINISHED,
    TASK_FAILED,
    READ,
    REBUILT,
    REFRESHED,
    DOUBTED,
    FOLLOW_CHANGED,
    RANKER,
    /** The engine loads a part of cards, on a thread of its own. */
    CARD_PART;

    /** Whether this is a method of the follow graph. */
    boolean isGraph() {
        return switch (this) {
            case FOLLOWERS, FOLLOWEES, FOLLOWED, COUNTS, SPLIT -> true;
            default -> false;
        };
    }

    /** Whether no operation depends on the answer: methods of the listener, and parts of cards. */
    boolean isOptional() {
        return this != CLOCK && !isGraph() && decides().isEmpty();
    }

    /** The name in a {@link io.feedkit.CallbackException}, if a failure of this callback causes one. */
    Optional<String> decides() {
        return switch (this) {
            case POLICY -> Optional.of("policy");
            case FILTER -> Optional.of("filter");
            case LOADER, CONTENT -> Optional.of("loader");
            case RANKER -> Optional.of("ranker");
            default -> Optional.empty();
        };
    }
}
