package io.feedkit.spi.counter;

/**
 * The kinds of owners, so that a user and a post may have the same id.
 *
 * @since 0.1.0
 */
public enum Space {
    /**
     * A user's typed counters: for each type, one cell for additions without an operation, and one for additions with
     * an operation, which can be retracted.
     */
    TYPES,
    /**
     * A conversation: the cell {@code ""} numbers the messages, and each member has a cell with a mark. The set holds
     * the messages that were removed.
     */
    CONVERSATION,
    /** The conversations that a user is in: a set. */
    CONVERSATIONS,
    /**
     * The announcements: the cell {@code ""} numbers them; its set holds them by id, labelled with the segment and the
     * end. Read by pages.
     */
    ANNOUNCEMENTS,
    /** How far a user has seen the announcements: the cell {@code ""}. */
    ANNOUNCEMENTS_SEEN,
    /**
     * A red dot: its versions, the version up to which it is shown to all users, and the version up to which it was
     * hidden.
     */
    DOT,
    /**
     * A user's red dots: for each, the version up to which it was shown to this user alone, and the version the user
     * has seen.
     */
    DOTS,
    /** Any counter: a cell for each type. */
    COUNTERS,
    /**
     * The posts a user has reacted to: a set of posts under kinds, each with its incarnation in the label and a
     * ticket of the post as its number. Read by pages.
     */
    REACTIONS,
    /**
     * The counts of a post: for each kind the post's incarnation, and the count in that incarnation with the users
     * who reacted last.
     */
    POSTS,
    /**
     * The posts a user has viewed: a set of posts, each with its incarnation as the label and the time of the last
     * counted view as its number.
     */
    VIEWS
}
