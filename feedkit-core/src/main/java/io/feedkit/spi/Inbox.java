package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.check.Arguments;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The posts that were pushed to each reader, so that reads are fast. An inbox may lose anything at any time, but it
 * must never report itself complete where it has lost an entry.
 *
 * <h2>States</h2>
 *
 * A reader's inbox is <i>absent</i>, <i>building</i> or <i>live</i>. It accepts entries while building or live, and
 * serves them only while live. {@link #open} starts a building inbox under a new generation, {@link #complete} makes it
 * live. It becomes absent in three cases: the live window has passed without a renewing read, it is dropped, or the
 * store loses any part of it. The end of a live window is irreversible: the operation that notices it closes the inbox,
 * and its entries are gone. An inbox without entries may be live.
 *
 * <h2>Floor and cap</h2>
 *
 * The floor is the lowest position down to which the inbox holds everything that was delivered to it, inclusive. A new
 * inbox's floor is {@link Position#LOWEST}. Entries below the floor are refused, in every state. An insertion may make
 * an inbox exceed {@link InboxLimits#stored()}. Then the same atomic step trims the inbox to the newest
 * {@link InboxLimits#cap()} entries, and raises the floor to the lowest entry kept. A floor never falls within a
 * generation. An inbox never serves more than {@code cap} entries. If more are stored, its readers see a floor that is
 * raised to the lowest of the newest {@code cap} entries.
 *
 * <h2>Generation and epoch</h2>
 *
 * The generation identifies one opening of an inbox. The follow epoch identifies one state of the set of the reader's
 * followees. Both are positive. A value is never used again for the same reader, even after a loss. If a reader's epoch
 * was never set, or was lost, it is {@code 0} until an inbox is opened. The opening sets an epoch that was never used
 * before.
 *
 * @since 0.1.0
 */
public interface Inbox {

    /** The outcome of one insertion for one reader. */
    enum Outcome {
        /** The post was inserted. */
        ADDED,
        /** The post was there already; nothing changed. */
        PRESENT,
        /**
         * The post lies below the floor (possibly the floor that its own insertion raised); readers find it in the
         * outbox.
         */
        BELOW_FLOOR,
        /** The reader has no live or building inbox, or has not read since {@link Delivery#seenSince}. */
        NOT_LIVE,
        /**
         * The part of the store that holds the reader's inbox cannot be reached. Whether the post was inserted is not
         * known.
         */
        UNREACHABLE
    }

    /** The state of an inbox. */
    enum State {
        /** There is no inbox. */
        ABSENT,
        /** The inbox accepts entries, but does not serve them yet. */
        BUILDING,
        /** The inbox holds everything from its floor upwards. */
        LIVE
    }

    /**
     * One post for some readers.
     *
     * @param post the post
     * @param readers the readers
     * @param seenSince deliver only to live inboxes last renewed at or after this time of the store's clock, in
     *     milliseconds; {@code 0} for all. Building inboxes count as seen
     */
    record Delivery(Post post, List<String> readers, long seenSince) {
        /** Copies the readers. */
        public Delivery {
            Arguments.nonNull("post", post);
            readers = List.copyOf(Arguments.nonNull("readers", readers));
        }
    }

    /**
     * A post to remove from some inboxes.
     *
     * @param post the post
     * @param readers the readers
     */
    record Retraction(Post post, List<String> readers) {
        /** Copies the readers. */
        public Retraction {
            Arguments.nonNull("post", post);
            readers = List.copyOf(Arguments.nonNull("readers", readers));
        }
    }

    /**
     * A post to remove from some inboxes, whatever the times of its entries are.
     *
     * @param key the post
     * @param readers the readers
     */
    record Removal(PostKey key, List<String> readers) {
        /** Copies the readers. */
        public Removal {
            Arguments.nonNull("key", key);
            readers = List.copyOf(Arguments.nonNull("readers", readers));
        }
    }

    /**
     * A request for a part of an inbox.
     *
     * @param reader the reader
     * @param range the range of posts
     * @param order at which end of the range to begin
     * @param limit the most posts to return, at least 1
     * @param renew whether this read renews the live window; reads of the engine for upkeep do not
     */
    record SliceQuery(String reader, PositionRange range, Order order, int limit, boolean renew) {
        /** Refuses null. */
        public SliceQuery {
            Arguments.nonNull("reader", reader);
            Arguments.nonNull("range", range);
            Arguments.nonNull("order", order);
        }
    }

    /**
     * The entries of an inbox in a range, and the facts that are needed to interpret them, read in one atomic step.
     *
     * @param state the state; all but {@code epoch} and {@code pending} are meaningless unless it is LIVE or BUILDING
     * @param posts the first {@code limit} entries of the range in the requested order; fewer only if there are no more
     *     at or above the floor. Always empty unless LIVE
     * @param floor the lowest position down to which the inbox is complete; {@link Position#HIGHEST} unless LIVE
     * @param generation the generation of the inbox; {@code 0} if ABSENT
     * @param mark the mark that {@link #complete} last set; {@code 0} unless LIVE
     * @param followees the checksum of the reader's followees that {@link #complete} last set, as changed by
     *     {@link #endFollow} since; {@code 0} unless LIVE
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
            Arguments.nonNull("state", state);
            Arguments.nonNull("floor", floor);
            posts = List.copyOf(Arguments.nonNull("posts", posts));
            pending = Set.copyOf(Arguments.nonNull("pending", pending));
        }
    }

    /**
     * A request to count the entries of an inbox above a position, and to read some below it.
     *
     * @param reader the reader
     * @param from the lowest position to read; above {@code above} to read nothing
     * @param above the position; an entry at the position does not count, and is read
     * @param limit the most entries to count, and the most to read, at least 1
     * @param apart authors whose posts in these ranges do not count, because they are counted elsewhere; usually empty.
     *     If it is not empty, the store may look at each entry above the position. They are read like other entries
     */
    record CountQuery(String reader, Position from, Position above, int limit, Map<String, PositionRange> apart) {
        /** Copies the ranges. */
        public CountQuery {
            Arguments.nonNull("reader", reader);
            Arguments.nonNull("from", from);
            Arguments.nonNull("above", above);
            apart = Map.copyOf(Arguments.nonNull("apart", apart));
        }

        /**
         * A request that reads no entries.
         *
         * @param reader the reader
         * @param above the position
         * @param limit the most entries to count
         * @param apart what does not count
         */
        public CountQuery(String reader, Position above, int limit, Map<String, PositionRange> apart) {
            this(reader, Arguments.nonNull("above", above).next(), above, limit, apart);
        }

        /**
         * The range of the entries to read.
         *
         * @return the range from {@code from} to {@code above}, inclusive
         */
        public PositionRange read() {
            return new PositionRange(from, above.next());
        }

        /**
         * Returns whether an entry is left out of the count because of its author.
         *
         * @param post the entry
         * @return true if the entry lies in a range of {@code apart}
         */
        public boolean isApart(Post post) {
            PositionRange range = apart.get(post.author());
            return range != null && range.contains(post);
        }
    }

    /**
     * The number of entries of an inbox above a position, and the facts that are needed to interpret it, read in one
     * atomic step.
     *
     * @param inbox what {@link #slice} would return for {@link CountQuery#read()}, newest first
     * @param above how many entries at or above the floor lie above the position and are not {@code apart}, at most
     *     {@code limit}; {@code 0} unless LIVE
     */
    record Count(Slice inbox, int above) {
        /** Refuses null. */
        public Count {
            Arguments.nonNull("inbox", inbox);
        }
    }

    /**
     * The live window of a reader's inbox.
     *
     * @param renewedAt when the window was last renewed, as the store has recorded it; {@code 0} if not known
     * @param endsAt when the window ends, or has ended; {@code 0} if not known
     */
    @Beta
    record Window(long renewedAt, long endsAt) {
        /** The window of a reader without a live inbox, and of a store that does not say. */
        public static final Window UNKNOWN = new Window(0, 0);
    }

    /**
     * Posts to merge into an inbox.
     *
     * @param reader the reader
     * @param generation the generation the posts were collected for
     * @param posts the posts, in any order
     * @param floor the lowest position down to which the posts are complete
     */
    record Merge(String reader, long generation, List<Post> posts, Position floor) {
        /** Copies the posts. */
        public Merge {
            Arguments.nonNull("reader", reader);
            Arguments.nonNull("floor", floor);
            posts = List.copyOf(Arguments.nonNull("posts", posts));
        }
    }

    /**
     * The pending follows of one change of a reader's followees.
     *
     * @param reader the reader
     * @param authors the authors, without duplicates
     * @param token what {@link #beginFollow} returned
     * @param toggled the change of the followees' checksum when the change ends: an exclusive or of the numbers of the
     *     authors that were added or removed
     */
    record PendingChange(String reader, List<String> authors, long token, long toggled) {
        /** Copies the authors. */
        public PendingChange {
            Arguments.nonNull("reader", reader);
            authors = List.copyOf(Arguments.nonNull("authors", authors));
        }
    }

    /**
     * The answer to {@link #open}.
     *
     * @param status the outcome
     * @param generation the generation that was opened; {@code 0} unless OPENED
     */
    record Opening(Status status, long generation) {
        /** Refuses null. */
        public Opening {
            Arguments.nonNull("status", status);
        }

        /** The outcome. */
        public enum Status {
            /** A new building inbox was opened, and the caller is its builder. */
            OPENED,
            /** Another builder's lease is running. */
            BUSY,
            /** There is a live inbox, and no replacement was requested. */
            LIVE
        }
    }

    /**
     * Claims these inboxes for a source of truth. The first claim is recorded in the store, for all views and all
     * processes. Later claims of the same source of truth change nothing. Of several simultaneous claims of different
     * sources of truth, one wins. A store that has lost everything, including the record, is claimed anew. Atomic,
     * idempotent. If the record exists, the call works even while the store refuses writes.
     *
     * <p>An engine claims the inboxes when it starts. It claims them again before each call of
     * {@link #deliveriesSafeSince}, because the store may have lost the record.
     *
     * @param identity the {@linkplain Outbox#identity() identity} of the source of truth
     * @throws io.feedkit.ForeignStoreException if the inboxes belong to another source of truth; nothing was changed
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; claiming again is harmless
     */
    void claim(String identity);

    /**
     * Inserts each post into the inbox of each of its readers who has a live or building inbox. For each reader, one
     * atomic step checks the state, inserts, trims and raises the floor. Idempotent. Does not renew the live window.
     *
     * <p>A store that keeps inboxes in several places delivers to the places that it reaches, and returns
     * {@link Outcome#UNREACHABLE} for the readers of the others. It should not wait for a place that has not answered
     * lately: the readers of the other places wait as well. If it reaches no place, it throws.
     *
     * @param deliveries posts and readers
     * @return for each delivery the outcomes for its readers, in the order of the readers
     * @throws io.feedkit.StoreUnavailableException if no reader was reached, and nothing was inserted
     * @throws io.feedkit.OutcomeUnknownException if no reader was reached, and posts may have been inserted
     */
    List<List<Outcome>> deliver(List<Delivery> deliveries);

    /**
     * Reads parts of inboxes, and renews the live window in the same step if the query asks for it. A store may leave
     * out a renewal that moves the window by less than a ten-thousandth of its length and by less than ten seconds. It
     * may also leave out a renewal that it cannot record, or cannot record without waiting: a read never fails because
     * of its renewal, and the next read makes up for it.
     *
     * @param queries what to read
     * @return a slice for each query
     */
    List<Slice> slice(List<SliceQuery> queries);

    /**
     * Returns whether {@link #sendSlice} and {@link #sendCount} send a question at once. The engine then asks another
     * store, or another part of this one, in the same time. A store on the other side of a network should do so.
     *
     * @return false, unless overridden
     */
    @Beta
    default boolean sendsQuestions() {
        return false;
    }

    /**
     * Sends the question of {@link #slice} without waiting for the answer, as {@link #sendCount} does for counts.
     *
     * @param queries as for {@link #slice}
     * @return waits for the answer of {@link #slice}, or throws its exceptions; to be used once, by the same thread
     * @throws io.feedkit.StoreUnavailableException if the question cannot be sent
     */
    @Beta
    default Supplier<List<Slice>> sendSlice(List<SliceQuery> queries) {
        return () -> slice(queries);
    }

    /**
     * Counts entries in the store by searching, and returns only those of the range to read. Atomic for each query.
     * Opens no inbox, and neither renews nor shortens a live window. An inbox whose window has passed counts as absent.
     * Unknown readers are not an error. Many queries take as many round trips as one, as far as the store can do that.
     * Thread-safe.
     *
     * @param queries what to count, in any order; a reader may occur more than once
     * @return a count for each query, in their order
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; counting again is harmless
     */
    List<Count> count(List<CountQuery> queries);

    /**
     * Sends the question of {@link #count} without waiting for the answer. The inboxes may be read at any moment from
     * this call to the answer. A caller may drop the answer. By default, {@link #count} is called when the answer is
     * taken.
     *
     * @param queries as for {@link #count}
     * @return waits for the answer of {@link #count}, or throws its exceptions; to be used once, by the same thread
     * @throws io.feedkit.StoreUnavailableException if the question cannot be sent
     */
    @Beta
    default Supplier<List<Count>> sendCount(List<CountQuery> queries) {
        return () -> count(queries);
    }

    /**
     * Returns the live windows of inboxes, for operators. Changes nothing: in particular, it neither renews a window
     * nor closes an inbox. The window of an inbox that has expired may be returned as long as the store keeps it. An
     * inbox that is building has no window. A store that does not keep these times returns {@link Window#UNKNOWN} for
     * each reader, like this default.
     *
     * @param readers the readers
     * @return a window for each reader, in their order
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; asking again is harmless
     */
    @Beta
    default List<Window> windows(List<String> readers) {
        return Collections.nCopies(readers.size(), Window.UNKNOWN);
    }

    /**
     * Starts a building inbox: empty, with floor {@link Position#LOWEST} and a new generation. Pending follows and the
     * epoch are kept. If the reader has a building inbox whose lease has not run out, nothing changes (BUSY). If the
     * reader has a live inbox and {@code replace} is false, nothing changes (LIVE). A building inbox whose lease has
     * run out is replaced.
     *
     * @param reader the reader
     * @param leaseMillis how long the builder may take before another may replace it
     * @param replace whether to replace a live inbox
     * @return the outcome
     */
    Opening open(String reader, long leaseMillis, boolean replace);

    /**
     * Raises the floor of the inbox of one generation, building or live, and then inserts posts into it. A floor below
     * the present one changes nothing. Posts and entries below the floor are dropped. Atomic, idempotent. The inbox is
     * trimmed as by a delivery, and keeps the posts that were pushed meanwhile. Without posts, the call only raises the
     * floor.
     *
     * @param reader the reader
     * @param generation the generation the posts were collected for
     * @param posts the posts, in any order
     * @param floor the lowest position down to which the given posts are complete
     * @return false, and nothing was changed, if the inbox is absent or of another generation
     */
    boolean merge(String reader, long generation, List<Post> posts, Position floor);

    /**
     * Merges posts into many inboxes, each as {@link #merge(String, long, List, Position)} does. Atomic for each
     * reader. If the call throws, some inboxes may have been changed, and the call may be repeated. By default, the
     * readers are handled one by one; a store should handle them in few round trips.
     *
     * @param merges the posts of each inbox; no reader occurs twice
     * @return for each inbox false, and it was not changed, if it is absent or of another generation
     */
    default List<Boolean> merge(List<Merge> merges) {
        List<Boolean> answers = new ArrayList<>(merges.size());
        merges.forEach(merge -> answers.add(merge(merge.reader(), merge.generation(), merge.posts(), merge.floor())));
        return Collections.unmodifiableList(answers);
    }

    /**
     * Makes the building inbox of a generation live and starts its live window. If the inbox is already live, the call
     * sets only its mark and checksum. A new epoch is set if the inbox was building, or if the checksum changes,
     * because engines may have cached wrong followees of the reader. Atomic, idempotent.
     *
     * @param reader the reader
     * @param generation the generation
     * @param mark a time, as of {@link Outbox#settledMark()}, up to which the inbox is known to hold all it should
     * @param followees a checksum of the followees that the inbox was built for: an exclusive or of one number for each
     *     followee
     * @return false, and nothing was changed, if the inbox is absent or of another generation
     */
    boolean complete(String reader, long generation, long mark, long followees);

    /**
     * Removes posts from inboxes, building or live. An entry of the same post with another time stays. The floor does
     * not change. Idempotent.
     *
     * @param retractions posts and readers
     */
    void retract(List<Retraction> retractions);

    /**
     * Removes every entry of posts from inboxes, building or live, whatever the time of the entry is. The floor does
     * not change. Idempotent. The store may look at every entry of these inboxes, so {@link #retract} is better if the
     * time is known.
     *
     * @param removals posts and readers
     */
    void remove(List<Removal> removals);

    /**
     * Removes every entry of some authors. An author's entries are removed only if the author's pending follow still
     * has the token. For an author without a pending follow, the follow epoch must still be the token. Otherwise
     * another follow may own the entries. Atomic. The floor does not change.
     *
     * @param reader the reader
     * @param authors the authors, without duplicates
     * @param token what {@link #beginFollow} returned, or the epoch at which the authors were known not to be followed
     * @return whether the token was valid for all authors
     */
    boolean purge(String reader, Collection<String> authors, long token);

    /**
     * Removes the entries of the authors of many changes, each as {@link #purge(String, Collection, long)} does. Atomic
     * for each reader. If the call throws, some inboxes may have been changed, and the call may be repeated. By
     * default, the readers are handled one by one; a store should handle them in few round trips.
     *
     * @param changes the changes; no reader occurs twice
     * @return for each change whether its token was valid for all its authors
     */
    default List<Boolean> purge(List<PendingChange> changes) {
        List<Boolean> answers = new ArrayList<>(changes.size());
        changes.forEach(change -> answers.add(purge(change.reader(), change.authors(), change.token())));
        return Collections.unmodifiableList(answers);
    }

    /**
     * Begins a change of whom a reader follows: sets a new epoch, and records a pending follow at that epoch for each
     * of the authors. It replaces an earlier pending follow of the same author. Pending follows of other authors stay
     * as they are, so changes that concern different authors do not disturb each other. Atomic. Works in every state.
     * For a reader without an inbox only the epoch and the pending follows are kept. So a pending follow ends only by
     * {@link #endFollow}, {@link #drop} or a loss.
     *
     * @param reader the reader
     * @param authors the authors, without duplicates, at least one
     * @return the new epoch, which is the token of these pending follows
     */
    long beginFollow(String reader, Collection<String> authors);

    /**
     * Begins the same change of whom many readers follow, each as {@link #beginFollow(String, Collection)} does. Atomic
     * for each reader. If the call throws, some changes may have begun; a reader's next refresh ends them. By default,
     * the readers are handled one by one; a store should handle them in few round trips.
     *
     * @param readers the readers, without duplicates
     * @param authors the authors, without duplicates, at least one
     * @return for each reader the new epoch, which is the token of the reader's pending follows; readers may have the
     *     same
     */
    default List<Long> beginFollow(List<String> readers, Collection<String> authors) {
        List<Long> tokens = new ArrayList<>(readers.size());
        readers.forEach(reader -> tokens.add(beginFollow(reader, authors)));
        return Collections.unmodifiableList(tokens);
    }

    /**
     * Ends a change: removes the pending follows of these authors that have the token, and sets a new epoch if it
     * removed any. If it removed one for every author, and there is an inbox, it also changes the inbox's checksum.
     * Atomic.
     *
     * @param reader the reader
     * @param authors the authors, without duplicates
     * @param token what {@link #beginFollow} returned
     * @param toggled the change of the followees' checksum: an exclusive or of the numbers of the authors that were
     *     added or removed
     * @return the authors that had no pending follow, or one with another token; for them nothing was changed
     */
    Set<String> endFollow(String reader, Collection<String> authors, long token, long toggled);

    /**
     * Ends the changes of many readers, each as {@link #endFollow(String, Collection, long, long)} does. Atomic for
     * each reader. If the call throws, some changes may have ended, and the call may be repeated. By default, the
     * readers are handled one by one; a store should handle them in few round trips.
     *
     * @param changes the changes; no reader occurs twice
     * @return for each change the authors that had no pending follow, or one with another token; for them nothing was
     *     changed
     */
    default List<Set<String>> endFollow(List<PendingChange> changes) {
        List<Set<String>> refused = new ArrayList<>(changes.size());
        changes.forEach(
                change -> refused.add(endFollow(change.reader(), change.authors(), change.token(), change.toggled())));
        return Collections.unmodifiableList(refused);
    }

    /**
     * Removes all data of some readers. Idempotent.
     *
     * @param readers the readers
     */
    void drop(List<String> readers);

    /**
     * Lists the readers who have an inbox or a pending follow, some at a time and in any order. A reader who has an
     * inbox during the whole walk, or a pending follow and no inbox, is listed at least once, and seldom several times.
     * Readers whose inbox has ended may be among them. The visitor is called under the conditions of
     * {@link FollowGraph#forEachUser}.
     *
     * @param visitor receives up to 1,000 ids, not empty; returns false to end the walk. If it throws, the walk ends
     * @throws io.feedkit.StoreUnavailableException if the store, or a part of it, cannot be reached; the walk ends
     * @throws UnsupportedOperationException if the store cannot list the readers, like this default
     */
    @Beta
    default void forEachReader(Predicate<List<String>> visitor) {
        throw new UnsupportedOperationException("these inboxes cannot list their readers");
    }

    /**
     * How long an engine waits between noticing a suspected loss and restarting tasks ({@link FanoutLog#restart}). By
     * then, all processes should have noticed the loss. A process that has not noticed it may have delivered to a
     * server that was replaced.
     */
    long LOSS_NOTICED_WITHIN_MILLIS = 3000;

    /**
     * Returns the time before which acknowledged deliveries may have been lost, for example in a failover. A delivery
     * that was acknowledged later can be lost only if the whole inbox becomes absent. The time rises when the store
     * notices that servers may have lost their latest acknowledged writes, for example because replicas took their
     * places. Engines then repeat the deliveries before that time. The time may rise without a loss, and never falls.
     * The call must be cheap: engines make it about once a second. A store that never loses only a part of an inbox
     * returns {@code 0}, as this default does. A loss before the first call by any process is not noticed. Thread-safe.
     *
     * <p>The time identifies the loss, so that deliveries are repeated once for all processes: each process gets the
     * time at which the first process noticed the loss, even a process that starts later. If a process delivered more
     * than {@value #LOSS_NOTICED_WITHIN_MILLIS} milliseconds after that time and before it noticed, it may have
     * delivered to a server that had been replaced. Then all processes get a later time.
     *
     * @return a time of the store's clock, in milliseconds, later than the time of any earlier loss; {@code 0} if no
     *     loss is suspected
     * @throws io.feedkit.StoreUnavailableException if the store cannot find out now
     */
    default long deliveriesSafeSince() {
        return 0;
    }
}
