package io.feedkit.internal.copies;

import io.feedkit.Post;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.spi.Position;
import java.util.Arrays;
import java.util.List;

/**
 * What a copy holds: the newest posts of some authors, as the outboxes had them. Every post of these authors at or
 * above the floor that was appended before the mark is here, if it was not deleted then.
 *
 * @param reader the reader
 * @param token names this copy
 * @param mark the {@link io.feedkit.spi.Outbox#settledMark} that was read before the posts
 * @param followees the {@linkplain FolloweeSet#numbers numbers} of the authors, in order
 * @param floor the lowest position down to which the posts are complete
 * @param posts the posts, newest first
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Copy(String reader, long token, long mark, long[] followees, Position floor, List<Post> posts) {

    boolean hasFollowee(String author) {
        return Arrays.binarySearch(followees, FolloweeSet.number(author)) >= 0;
    }
}
