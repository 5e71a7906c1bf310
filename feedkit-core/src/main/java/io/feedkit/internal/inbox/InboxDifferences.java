package io.feedkit.internal.inbox;

import io.feedkit.Post;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How a live inbox differs from the outboxes, from its floor upwards. More posts than an inbox can hold need not be
 * compared: the newest of them fill it.
 *
 * @param posts the posts of the followees from the floor on
 * @param floor down to where posts were compared
 * @param missing posts that the inbox does not have
 * @param wrong entries of followees that are not where the outboxes have the post
 * @param notFollowed entries of authors who are not among the followees; without those whose follows are pending
 */
public record InboxDifferences(
        List<Post> posts, Position floor, List<Post> missing, List<Post> wrong, List<Post> notFollowed) {

    /**
     * Compares an inbox.
     *
     * @param slice all entries that the inbox serves, read before this call
     * @param followees the followees, loaded after the slice
     */
    public static InboxDifferences of(Outbox outbox, Slice slice, Set<String> followees, InboxLimits limits) {
        int enough = enough(limits);
        List<Post> should = followees.isEmpty()
                ? List.of()
                : outbox.page(new PageQuery(followees, PositionRange.from(slice.floor()), Order.NEWEST_FIRST, enough));
        return of(should, slice, followees, limits);
    }

    /** How many posts the outboxes must be asked for: one more than an inbox can hold. */
    public static int enough(InboxLimits limits) {
        return limits.stored() + 1;
    }

    /**
     * Compares an inbox.
     *
     * @param should the newest posts of the followees at or above the floor, newest first: {@link #enough}, or fewer if
     *     there are no more
     * @param slice all entries that the inbox serves, read before the posts
     * @param followees the followees, loaded after the slice
     */
    public static InboxDifferences of(List<Post> should, Slice slice, Set<String> followees, InboxLimits limits) {
        int enough = enough(limits);
        Position floor = should.size() < enough ? slice.floor() : Position.of(should.get(enough - 1));
        List<Post> followed = new ArrayList<>();
        List<Post> notFollowed = new ArrayList<>();
        for (Post post : slice.posts()) {
            if (!followees.contains(post.author())) {
                if (!slice.pending().contains(post.author())) {
                    notFollowed.add(post);
                }
            } else if (floor.compareOf(post) >= 0) {
                followed.add(post);
            }
        }
        return new InboxDifferences(
                should, floor, without(should, slice.posts()), without(followed, should), notFollowed);
    }

    private static List<Post> without(List<Post> posts, List<Post> others) {
        Set<Post> excluded = new HashSet<>(others);
        return posts.stream().filter(post -> !excluded.contains(post)).toList();
    }
}
