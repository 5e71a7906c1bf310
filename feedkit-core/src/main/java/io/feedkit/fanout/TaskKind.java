package io.feedkit.fanout;

/**
 * What a fan-out task does with its posts. Later versions may have further kinds.
 *
 * @since 0.1.0
 */
public enum TaskKind {
    /** Delivers a post to all followers. */
    PUSH,
    /** Enters a post in the pulled register, so that readers get it from the outbox. */
    PULL,
    /** As {@link #PULL}, and delivers the post to followers who have read recently. */
    PUSH_ACTIVE,
    /** Waits after a delete until no delivery of the post can arrive any more, then becomes {@link #RETRACT_LATER}. */
    RETRACT,
    /** Removes a deleted post from all followers' inboxes. */
    RETRACT_LATER,
    /** Delivers an author's pulled posts to all followers, and takes the author off the pulled register. */
    CATCH_UP,
    /** Delivers an author's imported posts to all followers. */
    IMPORT
}
