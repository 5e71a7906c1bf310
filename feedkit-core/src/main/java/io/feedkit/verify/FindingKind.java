package io.feedkit.verify;

import io.feedkit.Beta;

/**
 * The kinds of differences that {@link io.feedkit.FeedEngine#verify} finds.
 *
 * @since 0.1.0
 */
@Beta
public enum FindingKind {
    /**
     * A post of a followee is missing in a reader's inbox. The post was delivered according to the fan-out log, and its
     * author is not in the pulled register. Repair: the inbox is refreshed.
     */
    POST_MISSING,
    /**
     * An inbox has a post of an author whom the reader does not follow. Pages hide it. A push that overlaps an unfollow
     * may leave one. Repair: the inbox is refreshed.
     */
    POST_NOT_FOLLOWED,
    /** An inbox has a post more than once. Repair: the inbox is rebuilt. */
    POST_TWICE,
    /**
     * An inbox has a post with another time than the outbox, or out of order. Repair: the inbox is refreshed, or
     * rebuilt if its order is wrong.
     */
    POST_MISPLACED,
    /** An inbox has a post that was deleted, or that the outbox has lost. Repair: the inbox is refreshed. */
    POST_DELETED,
    /**
     * An inbox has a post that is old enough for the archive, and was not deleted, but neither the outbox nor the
     * archive has it. Repair: the archive stores the post of the inbox again.
     */
    ARCHIVED_POST_LOST,
    /** The archive has a post that was deleted. Pages hide it. Repair: it is deleted from the archive. */
    ARCHIVED_POST_DELETED,
    /**
     * A post is in the archive, and its row is still in the outbox, although it may move. Pages show it once; a move
     * that was interrupted is finished by the next pass of a mover. Repair: the row is removed.
     */
    ARCHIVED_POST_IN_OUTBOX,
    /**
     * An edge of the follow graph exists on one side only: for the reader but not for the author, or the reverse.
     * Repair: the author's side becomes equal to the reader's side.
     */
    EDGE_ON_ONE_SIDE,
    /** The stored number of a user's followers or followees is wrong. Repair: the edges are counted anew. */
    FOLLOW_COUNT_WRONG,
    /**
     * The newest post of an author was never pushed, and the author is not in the pulled register. Such a post is in
     * none of several inboxes that should have it. Repair: the author enters the register.
     */
    AUTHOR_NOT_REGISTERED,
    /**
     * An author is in the pulled register, but has no post in the registered range, or no followers. Feeds are right;
     * pages read the outbox in vain. Repair: the entry is removed, if it has not changed.
     */
    AUTHOR_REGISTERED_IN_VAIN,
    /**
     * A task is about a post that neither exists nor is being retracted. Repair: a dead letter is discarded. A delayed
     * task is made due, and a worker finishes it.
     */
    TASK_WITHOUT_POST,
    /**
     * The settled mark is later than the time when an unfinished task was recorded. Deliveries of that task may count
     * as done. Repair: the task is made due; the mark is right when a worker has finished it.
     */
    SETTLED_MARK_TOO_HIGH,
    /**
     * A follow or unfollow was begun and did not finish, for example because its process died. The feed is right, but
     * slower. Repair: the follow is finished as the graph says.
     */
    FOLLOW_UNFINISHED,
    /**
     * An inbox records a time in the future as the time of its last comparison. It would not be compared until then.
     * Repair: the inbox is refreshed.
     */
    INBOX_MARK_AHEAD,
    /**
     * A reader has seen posts up to a time in the future. Posts before that time would not count as unread. Repair: the
     * mark is set to the present.
     */
    SEEN_MARK_AHEAD
}
