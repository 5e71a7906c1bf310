package io.feedkit.spi;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.internal.check.Arguments;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The authors with posts that were not pushed, and the deleted posts that may still be in inboxes. Reads merge the
 * outboxes of these authors, and hide these posts. The register is part of the source of truth. It is kept with the
 * outbox, and its entries do not expire.
 *
 * <p>An engine asks for the changes since its last call, and for the authors that its own readers follow. So its cost
 * depends on the changes and on its readers, not on the size of the register.
 *
 * <p>Implementations are thread-safe.
 *
 * @since 0.1.0
 */
public interface PulledRegister {

    /**
     * An author's unpushed posts.
     *
     * @param oldest at or below the oldest unpushed post
     * @param newest at or above the newest unpushed post, and as near to it as the store knows: pages use it to find
     *     the authors whose posts they may need
     * @param version changes with every {@link #put} for the author, and is never used again
     */
    record Entry(Position oldest, Position newest, long version) {
        /** Refuses null. */
        public Entry {
            Arguments.nonNull("oldest", oldest);
            Arguments.nonNull("newest", newest);
        }
    }

    /** A moment in the history of a register. Only the store that made it can read it. Immutable. */
    interface Moment {}

    /** What an {@link Update} covers. */
    enum Scope {
        /** The changes since the given moment, and the requested authors. */
        CHANGES,
        /** The whole register: an author or post that is not named is not registered. */
        WHOLE,
        /** The requested authors, and nothing else. */
        AUTHORS
    }

    /**
     * The answer to {@link #update}.
     *
     * <p>Each author, and each post, is shown as it was at some moment during the call. Changes that were committed
     * before the call are in it. Later changes are in it, or in the update since its moment, or in both. For up to two
     * seconds, a store may repeat changes that it has returned before. Every returned state was true at some moment
     * during the call.
     *
     * @param moment the moment from which the next update can continue
     * @param scope what the update covers
     * @param entries by author, the entry, or empty if the author is not registered. Contains every requested author
     * @param retracting deleted posts whose retraction has not finished. Contains every such post of the requested
     *     authors
     * @param retracted posts whose retraction has finished, or was taken back
     */
    record Update(
            Moment moment,
            Scope scope,
            Map<String, Optional<Entry>> entries,
            Set<PostKey> retracting,
            Set<PostKey> retracted) {
        /** Copies the collections. */
        public Update {
            Arguments.nonNull("moment", moment);
            Arguments.nonNull("scope", scope);
            entries = Map.copyOf(Arguments.nonNull("entries", entries));
            retracting = Set.copyOf(Arguments.nonNull("retracting", retracting));
            retracted = Set.copyOf(Arguments.nonNull("retracted", retracted));
        }
    }

    /**
     * Returns the changes since a moment, and the state of some authors. The cost is in proportion to the answer. A
     * change counts from its commit: if its transaction stays open while later ones commit, it is in the first update
     * after its own commit.
     *
     * <p>A store keeps the latest changes, for a time and up to a number that its documentation names. If it does not
     * have all changes since the moment, or no moment is given, the answer is not {@link Scope#CHANGES}. It is
     * {@link Scope#WHOLE} if the register has at most {@code wholeUpTo} entries and posts being retracted, and
     * {@link Scope#AUTHORS} otherwise.
     *
     * @param since the moment up to which the caller knows the register; empty if it knows nothing
     * @param authors the requested authors, whose state is returned whether it changed or not
     * @param wholeUpTo the largest size of a register that is returned whole
     * @return the update
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; asking again is harmless
     */
    Update update(Optional<Moment> since, Collection<String> authors, int wholeUpTo);

    /**
     * Enters posts that were not pushed: for each author atomically, the entry is created or widened to include the
     * post, and gets a new version.
     *
     * @param unpushed the posts
     */
    void put(List<Post> unpushed);

    /**
     * Removes an author's entry if it still has the given version.
     *
     * @param author the author
     * @param version the version of the entry whose posts have all been pushed
     * @return false, and nothing was changed, if there is no entry or its version is another
     */
    boolean remove(String author, long version);

    /**
     * Ends the retraction of deleted posts, because no inbox contains them any more. Idempotent.
     *
     * @param retracted the posts
     */
    void retracted(List<PostKey> retracted);
}
