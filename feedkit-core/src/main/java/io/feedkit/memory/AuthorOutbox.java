package io.feedkit.memory;

import io.feedkit.Post;
import io.feedkit.Published;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One author's posts and tombstones. Its methods are atomic. A caller that changes the log in the same step holds this
 * object's lock around both.
 */
final class AuthorOutbox {

    private static final Comparator<Post> BY_ID = Comparator.comparing(Post::id);
    private static final long NEVER = -1;

    private record Deletion(String id, long at) {}

    private final SortedChunks<Post> posts = new SortedChunks<>(Position::compare);
    private final SortedChunks<Post> postsById = new SortedChunks<>(BY_ID);
    private @Nullable SortedChunks<String> tombstones;

    /** The tombstones in the order of their times, which do not descend. */
    private final List<Deletion> deletions = new ArrayList<>(0);

    private long lastAppended = NEVER;

    /** The answer that appending a post would give. */
    synchronized Appended check(Post post) {
        if (isTombstoned(post.id())) {
            return new Appended(Published.Status.DELETED, post);
        }
        Post earlier = find(post.id());
        return earlier == null
                ? new Appended(Published.Status.NEW, post)
                : new Appended(Published.Status.SAME, earlier);
    }

    /** Adds a post that is new. */
    synchronized void add(Post post, long appended) {
        posts.add(post);
        postsById.add(post);
        lastAppended = Math.max(lastAppended, appended);
    }

    /**
     * Sets a tombstone, and returns the post that it removed.
     *
     * @param at the time, read in the step that this call belongs to
     */
    synchronized Optional<Post> delete(String id, long at) {
        if (tombstones == null) {
            tombstones = new SortedChunks<>(Comparator.naturalOrder());
        }
        // If the clock was set back, the deletion counts as later than it is.
        long before =
                deletions.isEmpty() ? 0 : deletions.get(deletions.size() - 1).at();
        deletions.add(new Deletion(id, Math.max(at, before)));
        tombstones.add(id);
        Post post = find(id);
        if (post == null) {
            return Optional.empty();
        }
        posts.remove(post);
        postsById.remove(post);
        return Optional.of(post);
    }

    /** Removes a post without a trace, if it is there with the same time. */
    synchronized boolean remove(Post post) {
        if (!post.equals(find(post.id()))) {
            return false;
        }
        posts.remove(post);
        return postsById.remove(post);
    }

    synchronized List<Post> page(PositionRange range, Order order, int limit) {
        return order == Order.NEWEST_FIRST
                ? posts.descending(range.from()::compareOf, range.below()::compareOf, limit)
                : posts.ascending(range.from()::compareOf, range.below()::compareOf, limit);
    }

    /** The first post of a page, if there is one. */
    @Nullable
    Post first(PositionRange range, Order order) {
        List<Post> page = page(range, order, 1);
        return page.isEmpty() ? null : page.get(0);
    }

    synchronized int size() {
        return posts.size();
    }

    synchronized int count(PositionRange range) {
        return range.isEmpty()
                ? 0
                : posts.countFrom(range.from()::compareOf) - posts.countFrom(range.below()::compareOf);
    }

    /** The time of the latest append, if there was one. */
    synchronized OptionalLong lastAppended() {
        return lastAppended == NEVER ? OptionalLong.empty() : OptionalLong.of(lastAppended);
    }

    /** The ids of tombstones that were set at or after a time; more than {@code limit} are cut off. */
    synchronized List<String> deletedSince(long since, int limit) {
        List<String> ids = new ArrayList<>();
        for (int i = deletions.size() - 1; i >= 0 && deletions.get(i).at() >= since && ids.size() < limit; i--) {
            ids.add(deletions.get(i).id());
        }
        return ids;
    }

    /** The post with this id, if there is one. */
    synchronized @Nullable Post find(String id) {
        return postsById.find(post -> post.id().compareTo(id));
    }

    /** The post of an id that was published or deleted; an empty post if it was deleted. */
    synchronized Optional<Optional<Post>> known(String id) {
        if (isTombstoned(id)) {
            return Optional.of(Optional.empty());
        }
        Post post = find(id);
        return post == null ? Optional.empty() : Optional.of(Optional.of(post));
    }

    synchronized boolean isTombstoned(String id) {
        return tombstones != null && tombstones.find(other -> other.compareTo(id)) != null;
    }
}
