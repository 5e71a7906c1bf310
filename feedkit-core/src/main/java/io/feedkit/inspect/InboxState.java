package io.feedkit.inspect;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.Post;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of a reader's inbox. Values that the store does not know, or that the state does not have, are empty.
 *
 * @param status the status; only a LIVE inbox has entries, a floor and a time of its last comparison
 * @param entries how many entries the inbox serves
 * @param newest the newest entry
 * @param oldest the oldest entry
 * @param floor the time down to which the inbox is complete; empty if it has everything of the reader's followees
 * @param lastRead when a read last renewed the inbox, or when it was built if no read has renewed it
 * @param liveUntil when the inbox expires, or has expired
 * @param compared when the inbox was last built from the outboxes or compared with them; posts from before this time
 *     were taken into account, unless their push was unfinished
 * @param graphChanged whether the reader's followees are others than those for whom the inbox was built or compared: a
 *     follow or unfollow was not reported to the engine, or was interrupted. Always false while a follow is pending
 * @since 0.1.0
 */
@Beta
public record InboxState(
        Status status,
        int entries,
        Optional<Post> newest,
        Optional<Post> oldest,
        Optional<Instant> floor,
        Optional<Instant> lastRead,
        Optional<Instant> liveUntil,
        Optional<Instant> compared,
        boolean graphChanged) {

    /** The status of an inbox. Later versions may have further ones. */
    public enum Status {
        /** There is no inbox: it was never built, was lost, or has expired long ago. The next read builds it. */
        ABSENT,
        /** The inbox has expired, because its reader was away. The next read builds a new one. */
        EXPIRED,
        /** An engine is building the inbox. Until then, pages are read from the outboxes. */
        BUILDING,
        /** The inbox serves pages, and receives pushes. */
        LIVE,
        /** The store of the inboxes cannot be reached. Pages are read from the outboxes. */
        UNREACHABLE
    }

    /** Refuses null. */
    public InboxState {
        nonNull("status", status);
        nonNull("newest", newest);
        nonNull("oldest", oldest);
        nonNull("floor", floor);
        nonNull("lastRead", lastRead);
        nonNull("liveUntil", liveUntil);
        nonNull("compared", compared);
    }
}
