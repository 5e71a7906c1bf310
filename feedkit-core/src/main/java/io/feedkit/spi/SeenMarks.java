package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.internal.check.Arguments;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * What each reader has seen of the feed. Marks are part of the source of truth: without the mark, all posts of a feed
 * would be unread again.
 *
 * @since 0.1.0
 */
public interface SeenMarks {

    /**
     * What a reader has seen.
     *
     * @param reader the reader
     * @param posts the posts
     */
    record Seen(String reader, SeenPosts posts) {
        /** Refuses null. */
        public Seen {
            Arguments.nonNull("reader", reader);
            Arguments.nonNull("posts", posts);
        }
    }

    /**
     * Adds to marks, each atomically: the new mark is the stored one {@linkplain SeenPosts#and and} the given posts. So
     * devices may report in any order, and at the same time. Idempotent.
     *
     * @param seen readers and posts; a reader may occur more than once
     */
    void markSeen(List<Seen> seen);

    /**
     * Replaces marks, each atomically, also by lower ones. Idempotent.
     *
     * @param seen readers and posts; of a reader who occurs more than once, the last one counts.
     *     {@link SeenPosts#NOTHING} removes the mark
     */
    void reset(List<Seen> seen);

    /**
     * Reads marks.
     *
     * @param readers the readers
     * @return for each reader the mark, or {@link SeenPosts#NOTHING} if there is none
     */
    List<SeenPosts> lastSeen(List<String> readers);

    /**
     * Removes marks. Idempotent.
     *
     * @param readers the readers
     */
    void forget(Collection<String> readers);

    /**
     * Lists the readers who have a mark, under the conditions of {@link FollowGraph#forEachUser}.
     *
     * @param visitor receives up to 1,000 ids, not empty; returns false to end the walk. If it throws, the walk ends
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached; the walk ends
     * @throws UnsupportedOperationException if the store cannot list the readers, like this default
     */
    @Beta
    default void forEachReader(Predicate<List<String>> visitor) {
        throw new UnsupportedOperationException("these seen marks cannot list their readers");
    }
}
