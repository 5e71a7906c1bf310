package io.feedkit.survival.tiers;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.testkit.oracle.OracleFeed;
import io.feedkit.testservers.survival.Truth;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The acknowledged changes of posts and of the follow graph. Calls for one post do not overlap. Thread-safe. */
final class TierTruth {

    private final OracleFeed oracle = new OracleFeed(false);
    private final Truth posts = new Truth();

    /** The posts, for a monitor of pages. */
    Truth posts() {
        return posts;
    }

    synchronized void followed(String reader, String author) {
        oracle.follow(reader, author);
    }

    synchronized void unfollowed(String reader, String author) {
        oracle.unfollow(reader, author);
    }

    synchronized boolean follows(String reader, String author) {
        return oracle.follows(reader, author);
    }

    void asks(Post post) {
        posts.asks(post.key());
    }

    /** Records the answer to a publish. An archived post that is published with another time moves to that time. */
    synchronized void published(Published answer) {
        Post post = answer.post();
        posts.published(post);
        if (oracle.post(post.key()).filter(earlier -> !earlier.equals(post)).isPresent()) {
            oracle.move(post);
        } else {
            oracle.publish(post);
        }
    }

    synchronized void deleted(PostKey key) {
        posts.deleted(key);
        oracle.delete(key);
    }

    synchronized Optional<Post> post(PostKey key) {
        return oracle.post(key);
    }

    synchronized List<Post> all() {
        return oracle.posts();
    }

    synchronized Set<PostKey> tombstones() {
        return oracle.tombstones();
    }

    synchronized List<Post> feed(String reader) {
        return oracle.feed(reader);
    }

    synchronized long count(String author) {
        return oracle.posts().stream()
                .filter(post -> post.author().equals(author))
                .count();
    }
}
