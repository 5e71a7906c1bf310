package io.feedkit.spi;

import io.feedkit.Post;
import io.feedkit.PostKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What readers must know beside their inboxes: the authors with posts that were not pushed, whose outboxes they merge, and the deleted posts
 * that may still stand in inboxes, which they hide. It is truth, lives with the outbox, and forgets nothing by age.
 */
public interface PulledRegister {

    /**
     * An author's unpushed posts.
     *
     * @param oldest at or below the oldest of them
     * @param newest at or above the newest of them, and as near as the store knows: pages go by it to see whose posts they may need
     * @param version changes with every {@link #put} for the author, and is never used again
     */
    record Entry(Position oldest, Position newest, long version) {}

    /**
     * All of the register at one moment.
     *
     * @param version the version it was taken at, or an earlier one
     * @param pulled the authors with unpushed posts
     * @param retracting deleted posts whose retraction has not finished
     */
    record Snapshot(long version, Map<String, Entry> pulled, Set<PostKey> retracting) {
        /** An empty register. */
        public static final Snapshot EMPTY = new Snapshot(0, Map.of(), Set.of());

        /** Copies the collections. */
        public Snapshot {
            pulled = Map.copyOf(pulled);
            retracting = Set.copyOf(retracting);
        }
    }

    /**
     * A number that is different after every change. Two equal answers mean an equal register (the same entries with the same versions, the same retracting
     * posts), so readers keep their snapshot while it stays; the numbers have no order, and one may return with the register it belongs to. Cheap: readers ask often.
     *
     * @return the version
     */
    long version();

    /**
     * Asks for the version, and lets the caller ask for something else before it waits: a page looks at its inbox meanwhile. For a store for which waiting is most of the work, and
     * whose versions never return.
     *
     * @return waits for the {@linkplain #version() version} that the register has at some moment from now on, and before it answers; called at most once, by the same thread. Empty if
     *     this store only answers at once, as by default
     */
    default Optional<LongSupplier> versionLater() {
        return Optional.empty();
    }

    /**
     * The whole register.
     *
     * @return a snapshot
     */
    Snapshot snapshot();

    /**
     * Enters posts that were not pushed: for each author atomically, the entry is created or widened to include the post, and gets a new version.
     *
     * @param unpushed the posts
     */
    void put(List<Post> unpushed);

    /**
     * Removes an author's entry, provided nothing was put since.
     *
     * @param author the author
     * @param version the version of the entry whose posts have all been pushed
     * @return false, and nothing was changed, if there is no entry or its version is another
     */
    boolean remove(String author, long version);

    /**
     * Takes deleted posts out of {@link Snapshot#retracting()}: they stand in no inbox any more. Idempotent.
     *
     * @param retracted the posts
     */
    void retracted(List<PostKey> retracted);
}
