package io.feedkit.internal.copies;

import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.collect.NewestPosts;
import java.util.Optional;

/** A copy that was found for a reader who comes back. */
@FunctionalInterface
public interface ReaderCopy {

    /**
     * What an inbox is built from.
     *
     * @param newest the newest posts
     * @param mark the mark of the inbox
     * @param since the outbox's settled mark from before the first of the posts was read
     */
    record BuiltPosts(NewestPosts newest, long mark, long since) {}

    /**
     * The newest posts of the followees, as far down as the copy goes. Deleted posts may be among them.
     *
     * @param followees the present followees
     * @param mark the outbox's settled mark, read before the followees
     * @return empty if the copy cannot be used
     */
    Optional<BuiltPosts> caughtUp(FolloweeSet followees, long mark);
}
