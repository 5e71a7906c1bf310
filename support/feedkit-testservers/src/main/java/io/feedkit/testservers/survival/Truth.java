package io.feedkit.testservers.survival;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What was asked for and what was acknowledged. Thread-safe. */
public final class Truth {

    private final Set<PostKey> asked = ConcurrentHashMap.newKeySet();
    private final Set<Post> published = ConcurrentHashMap.newKeySet();
    private final Set<PostKey> deleted = ConcurrentHashMap.newKeySet();

    /** Knows of nothing. */
    public Truth() {}

    /**
     * Somebody is about to publish a post.
     *
     * @param post the post
     */
    public void asks(PostKey post) {
        asked.add(post);
    }

    /**
     * It was acknowledged that a post is published.
     *
     * @param post the post as it was stored
     */
    public void published(Post post) {
        asked.add(post.key());
        published.add(post);
    }

    /**
     * It was acknowledged that a post is deleted.
     *
     * @param post the post
     */
    public void deleted(PostKey post) {
        deleted.add(post);
    }

    /**
     * Whether somebody was about to publish a post, or has.
     *
     * @param post the post
     * @return whether somebody was
     */
    public boolean wasAskedFor(PostKey post) {
        return asked.contains(post);
    }

    /**
     * The posts that somebody was about to publish, or has.
     *
     * @return all of them
     */
    public Set<PostKey> asked() {
        return Set.copyOf(asked);
    }

    /**
     * The posts that must not be shown any more from now on.
     *
     * @return those that were acknowledged to be deleted
     */
    public Set<PostKey> gone() {
        return Set.copyOf(deleted);
    }

    /**
     * The posts that were acknowledged, whether or not they were deleted later.
     *
     * @return the posts as they were stored
     */
    public Set<Post> published() {
        return Set.copyOf(published);
    }

    /**
     * Counts the posts that were acknowledged.
     *
     * @return how many
     */
    public int posts() {
        return published.size();
    }

    /**
     * Counts the deletes that were acknowledged.
     *
     * @return how many
     */
    public int deletes() {
        return deleted.size();
    }

    /** The feeds as they must be when all is quiet. */
    OracleFeed oracle(Members members) {
        OracleFeed oracle = new OracleFeed(false);
        members.tell(oracle);
        published().forEach(oracle::publish);
        gone().forEach(oracle::delete);
        return oracle;
    }
}
