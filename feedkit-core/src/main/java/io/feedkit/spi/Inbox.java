package io.feedkit.spi;

import io.feedkit.Post;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was pushed to each reader: an accelerator that may lose anything at any time, but must never lie about what it
 * holds.
 *
 * <h2>States</h2>
 *
 * A reader's inbox is <i>absent</i>, <i>building</i> or <i>live</i>. It accepts entries while building or live, and
 * serves them only while live. {@link #open} starts a building inbox under a new generation, {@link #complete} makes it
 * live. It becomes absent when the live window has passed without a renewing read (an irreversible change: whoever
 * notices closes it, and entries are gone), when it is dropped, or when the store loses any part of it. An inbox with
 * no entries may well be live.
 *
 * <h2>Floor and cap</h2>
 *
 * The floor is the lowest position down to which the inbox holds everything that was delivered to it, inclusive. A new
 * inbox's floor is {@link Position#LOWEST}. Entries below the floor are refused, in every state. When an insertion
 * makes an inbox exceed {@link InboxLimits#stored()}, the same atomic step trims it to the newest
 * {@link InboxLimits#cap()} entries and raises the floor to the lowest entry kept. A floor never falls within a
 * generation. At most {@code cap} entries are ever served: where more are stored, the inbox presents itself with the
 * floor raised to the lowest of the newest {@code cap}.
 *
 * <h2>Generation and epoch</h2>
 *
 * The generation identifies one opening of an inbox. The follow epoch identifies a state of what the reader follows.
 * Both are positive, and a value is never used again for the same reader, whatever was lost in between; a reader whose
 * epoch was never set, or was lost, has an epoch that nobody has seen before from the moment an inbox is opened, and
 * {@code 0} until then.
 */
public interface Inbox {

    /** What became of one entry for one reader. */
    enum Outcome {
        /** It was inserted. */
        ADDED,
        /** It was there already; nothing changed. */
        PRESENT,
        /**
         * It lies below the floor (possibly the floor that its own insertion raised); readers find it in the outbox.
         */
        BELOW_FLOOR,
        /** The reader has no live or building inbox, or was not seen since the time demanded. */
        NOT_LIVE
    }

    /** Whether, and for whom, an inbox may be used. */
    enum State {
        /** There is none. */
        ABSENT,
        /** It accepts entries, but promises nothing to readers yet. */
        BUILDING,
        /** It holds everything from its floor upwards. */
        LIVE
    }

    /**
     * One post on its way to some readers.
     *
     * @param post the post
     * @param readers the readers
     * @param seenSince deliver only to live inboxes last renewed at or after this time of the store's clock, in
     *     milliseconds; {@code 0} for all. Building inboxes count as seen
     */
    record Delivery(Post post, List<String> readers, long seenSince) {
        /** Copies the readers. */
        public Delivery {
            readers = List.copyOf(readers);
        }
    }

    /**
     * A post to be taken out of some inboxes.
     *
     * @param post the post
     * @param readers the readers
     */
    record Retraction(Post post, List<String> readers) {
        /** Copies the readers. */
        public Retraction {
            readers = List.copyOf(readers);
        }
    }

    /**
     * A request for some of an inbox.
     *
     * @param reader the reader
     * @param range where to look
     * @param order which end of the range to begin with
     * @param limit the most posts to return, at least 1
     * @param renew whether this read renews the live window; the engine's own upkeep does not
     */
    record SliceQuery(String reader, PositionRange range, Order order, int limit, boolean renew) {}

    /**
     * What an inbox holds of a range, with everything needed to interpret it, taken in one atomic step.
     *
     * @param state the state; all but {@code epoch} and {@code pending} are meaningless unless it is LIVE or BUILDING
     * @param posts the first {@code limit} entries of the range in the order asked for; fewer only if there are no more
     *     at or above the floor. Always empty unless LIVE
     * @param floor the lowest position down to which the inbox is complete; {@link Position#HIGHEST} unless LIVE
     * @param generation the opening this is a part of; {@code 0} if ABSENT
     * @param mark what {@link #complete} last noted; {@code 0} unless LIVE
     * @param followees the checksum of the reader's followees that {@link #complete} last noted, with what
     *     {@link #endFollow} made of it; {@code 0} unless LIVE
     * @param epoch the follow epoch; {@code 0} if there is none
     * @param pending authors with an unfinished follow or unfollow
     */
    record Slice(
            State state,
            List<Post> posts,
            Position floor,
            long generation,
            long mark,
            long followees,
            long epoch,
            Set<String> pending) {
        /** Copies the collections. */
        public Slice {
            posts = List.copyOf(posts);
            pending = Set.copyOf(pending);
        }
    }

    /**
     * A question of how much an inbox holds above a position.
     *
     * @param reader the reader
     * @param above the position; an entry there does not count
     * @param limit the most entries to count, at least 1
     * @param apart authors whose posts in these ranges do not count, since they are counted elsewhere; usually none. If
     *     there are some, the store may look at each entry above the position
     */
    record CountQuery(String reader, Position above, int limit, Map<String, PositionRange> apart) {
        /** Copies the ranges. */
        public CountQuery {
            apart = Map.copyOf(apart);
        }

        /**
         * Says whether an entry does not count because of its author.
         *
         * @param post the entry
         * @return true if it lies in a range of {@code apart}
         */
        public boolean isApart(Post post) {
            PositionRange range = apart.get(post.author());
            return range != null && range.contains(post);
        }
    }

    /**
     * How much an inbox holds above a position, with everything needed to interpret it, taken in one atomic step.
     *
     * @param inbox what {@link #slice} would say of the inbox, without posts
     * @param above how many entries at or above the floor lie above the position and are not {@code apart}, at most
     *     {@code limit}; {@code 0} unless LIVE
     */
    record Count(Slice inbox, int above) {}

    /**
     * The answer to {@link #open}.
     *
     * @param status what was found or done
     * @param generation the generation that was opened; {@code 0} unless OPENED
     */
    record Opening(Status status, long generation) {
        /** What was found or done. */
        public enum Status {
            /** A new building inbox; the caller is its builder. */
            OPENED,
            /** Another builder's lease is running. */
            BUSY,
            /** There is a live inbox, and no replacement was asked for. */
            LIVE
        }
    }

    /**
     * Inserts each post into the inbox of each of its readers that has a live or building one. For each reader
     * atomically: the liveness check, the insertion, the trim and the raising of the floor. Idempotent. Does not renew
     * the live window.
     *
     * @param deliveries posts and readers
     * @return for each delivery, the outcome for each of its readers, in their order
     */
    List<List<Outcome>> deliver(List<Delivery> deliveries);

    /**
     * Reads parts of inboxes, and where asked renews the live window in the same step. A store may leave a renewal out
     * that moves the window by less than a ten-thousandth of it and by less than ten seconds, or that it cannot record
     * without waiting or at all: a read never fails for its renewal, and the next one makes up for it.
     *
     * @param queries what to read
     * @return a slice for each query
     */
    List<Slice> slice(List<SliceQuery> queries);

    /**
     * Counts entries in the store, by searching; none is handed out. Atomic for each query. Opens nothing, and neither
     * renews nor shortens a live window; an inbox whose window is over counts as absent. Unknown readers are not an
     * error. Many queries take as many round trips as one, as far as the store can do that. Thread-safe.
     *
     * @param queries what to count, in any order; a reader may occur more than once
     * @return a count for each query, in their order
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; counting again is harmless
     */
    List<Count> count(List<CountQuery> queries);

    /**
     * Starts a building inbox: empty, with floor {@link Position#LOWEST} and a new generation. Notes of unfinished
     * follows and the epoch are kept. If the reader has an inbox that is building under a lease that has not run out,
     * nothing changes (BUSY). If it has a live one, nothing changes (LIVE) unless {@code replace} is set. A builder
     * whose lease has run out is replaced.
     *
     * @param reader the reader
     * @param leaseMillis how long the builder may take before another may replace it
     * @param replace whether to give up a live inbox
     * @return what was found or done
     */
    Opening open(String reader, long leaseMillis, boolean replace);

    /**
     * Inserts posts into the inbox of one generation, building or live, after raising its floor (a floor below the
     * present one changes nothing). Entries below the floor are dropped, both given and present. Atomic, idempotent;
     * trims like a delivery; keeps what was pushed meanwhile. With no posts it only raises the floor.
     *
     * @param reader the reader
     * @param generation the generation the posts were collected for
     * @param posts the posts, in any order
     * @param floor the lowest position down to which the caller vouches for the posts
     * @return false, and nothing was changed, if the inbox is absent or of another generation
     */
    boolean merge(String reader, long generation, List<Post> posts, Position floor);

    /**
     * Makes the building inbox of a generation live and starts its live window, or just sets mark and checksum of a
     * live one. A checksum that is not the one kept so far, and that of a building inbox is always new, also sets a new
     * epoch: what was remembered of the reader's followees may be wrong. Atomic, idempotent.
     *
     * @param reader the reader
     * @param generation the generation
     * @param mark a time, as of {@link Outbox#settledMark()}, up to which the inbox is known to hold all it should
     * @param followees a checksum of the followees that the inbox was made for: an exclusive or of a number for each
     * @return false, and nothing was changed, if the inbox is absent or of another generation
     */
    boolean complete(String reader, long generation, long mark, long followees);

    /**
     * Removes posts from inboxes, building or live. The floor does not change. Idempotent.
     *
     * @param retractions posts and readers
     */
    void retract(List<Retraction> retractions);

    /**
     * Removes every entry of some authors. Of each author only if its note still bears the token or, for an author
     * without a note, if the follow epoch is still the token: else another follow may own the entries. Atomic. The
     * floor does not change.
     *
     * @param reader the reader
     * @param authors the authors, without duplicates
     * @param token what {@link #beginFollow} returned, or the epoch at which the authors were known not to be followed
     * @return whether the token was good for all of them
     */
    boolean purge(String reader, Collection<String> authors, long token);

    /**
     * Begins a change of whom a reader follows: sets a new epoch and notes the authors as pending at that epoch,
     * replacing earlier notes of the same authors. Notes of others stay as they are, so changes that concern different
     * authors do not disturb each other. Atomic. Works in every state; for a reader without an inbox only the epoch and
     * the notes are kept, so a note outlives everything but loss.
     *
     * @param reader the reader
     * @param authors the authors, without duplicates, at least one
     * @return the new epoch, which is the notes' token
     */
    long beginFollow(String reader, Collection<String> authors);

    /**
     * Ends a change: takes away the notes of these authors that bear the token, and sets a new epoch if there was one.
     * If there were all, and there is an inbox, it also changes its checksum. Atomic.
     *
     * @param reader the reader
     * @param authors the authors, without duplicates
     * @param token what {@link #beginFollow} returned
     * @param toggled what the checksum of the followees changes by: an exclusive or of the numbers of those that were
     *     added or removed
     * @return the authors that had no note, or one with another token; nothing was changed about them
     */
    Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled);

    /**
     * Removes all that is kept for some readers. Idempotent.
     *
     * @param readers the readers
     */
    void drop(List<String> readers);

    /**
     * The time since which no delivery that this store acknowledged can have been lost, unless the reader's inbox
     * became absent with it. It rises when the store notices that some of its servers may have forgotten the last of
     * what they had acknowledged, because others took their places, say; engines then have what was done before that
     * time done again. It may rise for nothing, and never falls. Cheap: engines ask about once a second. A store that
     * never loses a part of an inbox alone does nothing here, as this one. What was lost before the first call is not
     * noticed. Thread-safe.
     *
     * @return a time of the store's clock, in milliseconds, not later than now; {@code 0} as long as nothing was
     *     noticed
     * @throws io.feedkit.StoreUnavailableException if that cannot be found out now
     */
    default long trustedSince() {
        return 0;
    }
}
