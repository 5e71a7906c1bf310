package io.feedkit.jdbc.survival;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What was asked for and what was acknowledged. Thread-safe. */
final class Truth {

    private final Set<PostKey> asked = ConcurrentHashMap.newKeySet();
    private final Set<Post> published = ConcurrentHashMap.newKeySet();
    private final Set<PostKey> deleted = ConcurrentHashMap.newKeySet();

    /** Somebody is about to publish a post. */
    void asks(PostKey post) {
        asked.add(post);
    }

    /** It was acknowledged that a post is published, as it was stored. */
    void published(Post post) {
        asked.add(post.key());
        published.add(post);
    }

    /** It was acknowledged that a post is deleted. */
    void deleted(PostKey post) {
        deleted.add(post);
    }

    boolean wasAskedFor(PostKey post) {
        return asked.contains(post);
    }

    /** The posts that must not be shown any more from now on. */
    Set<PostKey> gone() {
        return Set.copyOf(deleted);
    }

    Set<Post> published() {
        return Set.copyOf(published);
    }

    int posts() {
        return published.size();
    }

    int deletes() {
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
