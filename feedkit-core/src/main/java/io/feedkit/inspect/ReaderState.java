package io.feedkit.inspect;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.Cursor;
import io.feedkit.health.Health.Part;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The state of one reader's feed, as {@link io.feedkit.FeedEngine#inspect} returns it. If a part of the store cannot be
 * reached, {@link #unreachable} names it, and the values from that part are empty or zero.
 *
 * @param reader the reader
 * @param inbox the inbox
 * @param followees the followees; from the follow graph and the pulled register
 * @param pendingFollows authors with a follow or unfollow that has not ended: it is under way, or its process died.
 *     They are kept with the inboxes. Until then, pages read the outboxes of those who are followed
 * @param seenMark how far the reader has seen the feed
 * @param seenUpTo the time of the seen mark
 * @param connection whether the reader is connected
 * @param unreachable the parts of the store that cannot be reached, each with what is wrong, for operators: it may
 *     contain server addresses
 * @since 0.1.0
 */
@Beta
public record ReaderState(
        String reader,
        InboxState inbox,
        FolloweeState followees,
        Set<String> pendingFollows,
        Optional<Cursor> seenMark,
        Optional<Instant> seenUpTo,
        ConnectionState connection,
        Map<Part, String> unreachable) {

    /** The most authors in each list. */
    public static final int MOST_LISTED = 100;

    /** Copies the collections. */
    public ReaderState {
        nonNull("reader", reader);
        nonNull("inbox", inbox);
        nonNull("followees", followees);
        pendingFollows = Set.copyOf(nonNull("pendingFollows", pendingFollows));
        nonNull("seenMark", seenMark);
        nonNull("seenUpTo", seenUpTo);
        nonNull("connection", connection);
        unreachable = Map.copyOf(nonNull("unreachable", unreachable));
    }
}
