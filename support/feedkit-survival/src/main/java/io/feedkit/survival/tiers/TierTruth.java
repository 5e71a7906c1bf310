package io.feedkit.survival.tiers;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.testkit.oracle.OracleFeed;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Truth;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The acknowledged changes of posts and of the follow graph. Calls for one post do not overlap. Thread-safe. */
final class TierTruth {

    /** How the ids of posts begin that fill small inboxes. */
    static final String FIRST = "first";

    private static final int FIRST_POSTS = TierNodes.SMALL_CAP * 3 / 2;

    private final OracleFeed oracle = new OracleFeed(false);
    private final Truth posts = new Truth();

    /** The posts, for a monitor of pages. */
    Truth posts() {
        return posts;
    }

    /** Writes a follow graph on an empty store, and some posts of each author, which stay. */
    Members join(int readers, Node node) {
        Members members = Members.join(readers, node);
        for (String reader : members.readers()) {
            node.engine().followees(reader, readers).ids().forEach(author -> followed(reader, author));
        }
        for (String author : members.authors()) {
            for (int i = 0; i < FIRST_POSTS; i++) {
                published(node.engine().publish(author, FIRST + i));
            }
        }
        FinalCheck.awaitRest(node.engine());
        return members;
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

    /** A copy of the posts and edges, as they are now. */
    synchronized TierTruth copy(Members members) {
        TierTruth copy = new TierTruth();
        oracle.posts().forEach(copy.oracle::publish);
        oracle.tombstones().forEach(copy.oracle::delete);
        for (String reader : members.readers()) {
            for (String author : members.authors()) {
                if (oracle.follows(reader, author)) {
                    copy.oracle.follow(reader, author);
                }
            }
        }
        return copy;
    }

    /** Forgets a post that was lost. */
    synchronized void lost(PostKey key) {
        oracle.delete(key);
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
