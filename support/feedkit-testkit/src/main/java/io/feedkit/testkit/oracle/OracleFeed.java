package io.feedkit.testkit.oracle;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.internal.check.Arguments;
import io.feedkit.spi.SeenPosts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The definition of a feed: all undeleted posts of the authors that a reader follows, newest first. It stores the
 * posts, deletes and follows that it gets, and sorts all posts for every answer. It shares no code with the engine, so
 * that a test can compare the two.
 *
 * <p>A post is identified by author and id. The first publish fixes its time. A deleted key can never be published,
 * even if it was deleted before it was published. A feed is ordered by time, then id, then author, all descending, ids
 * by their bytes. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class OracleFeed {

    /** The order of every feed. */
    public static final Comparator<Post> NEWEST_FIRST = Comparator.<Post>comparingLong(
                    post -> post.publishedAt().toEpochMilli())
            .thenComparing(Post::id)
            .thenComparing(Post::author)
            .reversed();

    private final boolean ownPosts;
    private final Map<PostKey, Post> posts = new HashMap<>();
    private final Set<PostKey> tombstones = new HashSet<>();
    private final Map<String, Set<String>> followees = new HashMap<>();
    private final Map<String, SeenPosts> marks = new HashMap<>();

    /**
     * An empty oracle.
     *
     * @param ownPosts whether authors see their own posts in their feeds
     */
    public OracleFeed(boolean ownPosts) {
        this.ownPosts = ownPosts;
    }

    /**
     * Publishes a post.
     *
     * @param post the post
     * @return the answer that {@code publish} must give
     */
    public Published publish(Post post) {
        Arguments.nonNull("post", post);
        if (tombstones.contains(post.key())) {
            return new Published(Published.Status.DELETED, post);
        }
        Post earlier = posts.putIfAbsent(post.key(), post);
        return earlier == null
                ? new Published(Published.Status.NEW, post)
                : new Published(Published.Status.SAME, earlier);
    }

    /**
     * Deletes a post for good.
     *
     * @param key the post
     * @return whether there was such a post
     */
    public boolean delete(PostKey key) {
        Arguments.nonNull("key", key);
        tombstones.add(key);
        return posts.remove(key) != null;
    }

    /**
     * Changes the time of a post.
     *
     * @param post the post, with its new time; ignored if it does not exist
     */
    public void move(Post post) {
        Arguments.nonNull("post", post);
        posts.replace(post.key(), post);
    }

    /**
     * Finds a post.
     *
     * @param key the post
     * @return the post as it is now, if it exists
     */
    public Optional<Post> post(PostKey key) {
        Arguments.nonNull("key", key);
        return Optional.ofNullable(posts.get(key));
    }

    /**
     * Makes a backup of the posts.
     *
     * @return an oracle that has the posts of this one, and knows what was deleted
     */
    public OracleFeed backup() {
        OracleFeed backup = new OracleFeed(ownPosts);
        backup.restore(this);
        return backup;
    }

    /**
     * Goes back to the posts of a backup. Follows and marks stay.
     *
     * @param backup the backup
     */
    public void restore(OracleFeed backup) {
        Arguments.nonNull("backup", backup);
        posts.clear();
        posts.putAll(backup.posts);
        tombstones.clear();
        tombstones.addAll(backup.tombstones);
    }

    /**
     * A reader follows an author.
     *
     * @param reader the reader
     * @param author the author
     * @return whether the follow is new
     */
    public boolean follow(String reader, String author) {
        Arguments.nonNull("author", author);
        Arguments.nonNull("reader", reader);
        return followees.computeIfAbsent(reader, id -> new TreeSet<>()).add(author);
    }

    /**
     * A reader unfollows an author.
     *
     * @param reader the reader
     * @param author the author
     * @return whether the reader followed the author
     */
    public boolean unfollow(String reader, String author) {
        Arguments.nonNull("author", author);
        Arguments.nonNull("reader", reader);
        return followees.computeIfAbsent(reader, id -> new TreeSet<>()).remove(author);
    }

    /**
     * Adds seen posts to a reader's mark.
     *
     * @param reader the reader
     * @param posts the seen posts
     */
    public void markSeen(String reader, SeenPosts posts) {
        Arguments.nonNull("posts", posts);
        Arguments.nonNull("reader", reader);
        marks.merge(reader, posts, SeenPosts::and);
    }

    /**
     * Removes a reader's mark.
     *
     * @param reader the reader
     */
    public void forgetSeen(String reader) {
        Arguments.nonNull("reader", reader);
        marks.remove(reader);
    }

    /**
     * Returns whether a reader follows an author.
     *
     * @param reader the reader
     * @param author the author
     * @return true if the reader follows the author
     */
    public boolean follows(String reader, String author) {
        Arguments.nonNull("author", author);
        Arguments.nonNull("reader", reader);
        return followees.getOrDefault(reader, Set.of()).contains(author);
    }

    /**
     * Returns whether an author's posts belong to a reader's feed.
     *
     * @param reader the reader
     * @param author the author
     * @return true for followees, and for the reader if own posts belong to the feed
     */
    public boolean shows(String reader, String author) {
        Arguments.nonNull("author", author);
        Arguments.nonNull("reader", reader);
        return follows(reader, author) || (ownPosts && reader.equals(author));
    }

    /**
     * Returns whether a post exists.
     *
     * @param key the post
     * @return true if it was published and not deleted
     */
    public boolean exists(PostKey key) {
        Arguments.nonNull("key", key);
        return posts.containsKey(key);
    }

    /**
     * All posts that exist.
     *
     * @return the posts, newest first
     */
    public List<Post> posts() {
        List<Post> all = new ArrayList<>(posts.values());
        all.sort(NEWEST_FIRST);
        return all;
    }

    /**
     * All keys that were ever deleted.
     *
     * @return the keys
     */
    public Set<PostKey> tombstones() {
        return Set.copyOf(tombstones);
    }

    /**
     * A reader's whole feed.
     *
     * @param reader the reader
     * @return the posts, newest first
     */
    public List<Post> feed(String reader) {
        Arguments.nonNull("reader", reader);
        return feed(reader, post -> true);
    }

    /**
     * A reader's whole feed, without the posts that the host hides.
     *
     * @param reader the reader
     * @param shown which posts the host shows
     * @return the posts, newest first
     */
    public List<Post> feed(String reader, Predicate<Post> shown) {
        Arguments.nonNull("reader", reader);
        Arguments.nonNull("shown", shown);
        return posts().stream()
                .filter(post -> shows(reader, post.author()))
                .filter(shown)
                .toList();
    }

    /**
     * Counts a reader's unread posts, which are never the reader's own.
     *
     * @param reader the reader
     * @param shown which posts the host shows
     * @return how many posts of the feed the reader has not seen
     */
    public long unread(String reader, Predicate<Post> shown) {
        Arguments.nonNull("reader", reader);
        Arguments.nonNull("shown", shown);
        SeenPosts mark = marks.getOrDefault(reader, SeenPosts.NOTHING);
        return feed(reader, shown).stream()
                .filter(post -> !post.author().equals(reader))
                .filter(post -> !mark.contains(post))
                .count();
    }
}
