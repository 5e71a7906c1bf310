package io.feedkit.testservers.survival;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The requested and the acknowledged changes. Thread-safe. */
public final class Truth {

    private final Set<PostKey> asked = ConcurrentHashMap.newKeySet();
    private final Set<Post> published = ConcurrentHashMap.newKeySet();
    private final Set<PostKey> deleted = ConcurrentHashMap.newKeySet();

    /** Creates an empty record. */
    public Truth() {}

    /**
     * Records that a post is about to be published.
     *
     * @param post the post
     */
    public void asks(PostKey post) {
        asked.add(post);
    }

    /**
     * Records that a publish was acknowledged.
     *
     * @param post the post as it was stored
     */
    public void published(Post post) {
        asked.add(post.key());
        published.add(post);
    }

    /**
     * Records that a delete was acknowledged.
     *
     * @param post the post
     */
    public void deleted(PostKey post) {
        deleted.add(post);
    }

    /**
     * Returns whether a publish of a post was requested.
     *
     * @param post the post
     * @return true if it was
     */
    public boolean wasAskedFor(PostKey post) {
        return asked.contains(post);
    }

    /**
     * Returns the posts whose publish was requested.
     *
     * @return the posts
     */
    public Set<PostKey> asked() {
        return Set.copyOf(asked);
    }

    /**
     * Returns the posts that must not be shown any more.
     *
     * @return the posts whose delete was acknowledged
     */
    public Set<PostKey> gone() {
        return Set.copyOf(deleted);
    }

    /**
     * Returns the posts whose publish was acknowledged, whether or not they were deleted later.
     *
     * @return the posts as they were stored
     */
    public Set<Post> published() {
        return Set.copyOf(published);
    }

    /**
     * Counts the acknowledged publishes.
     *
     * @return how many
     */
    public int posts() {
        return published.size();
    }

    /**
     * Counts the acknowledged deletes.
     *
     * @return how many
     */
    public int deletes() {
        return deleted.size();
    }

    /** The feeds as they must be when all tasks are done. */
    OracleFeed oracle(Members members) {
        OracleFeed oracle = new OracleFeed(false);
        members.addEdgesTo(oracle);
        published().forEach(oracle::publish);
        gone().forEach(oracle::delete);
        return oracle;
    }
}
