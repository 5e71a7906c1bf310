package io.feedkit.survival.copies;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.oracle.OracleFeed;
import io.feedkit.testservers.survival.FinalCheck;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import java.util.List;
import java.util.Set;

/** The acknowledged changes of posts and of the follow graph. Calls for one post do not overlap. Thread-safe. */
final class CopyTruth {

    private static final int FIRST_POSTS = 40;

    private final OracleFeed oracle = new OracleFeed(false);

    /** Writes a follow graph on an empty store, and some posts of each author, which stay. */
    Members join(int readers, Node node) {
        Members members = Members.join(readers, node);
        for (String reader : members.readers()) {
            node.engine().followees(reader, readers).ids().forEach(author -> followed(reader, author));
        }
        for (String author : members.authors()) {
            for (int i = 0; i < FIRST_POSTS; i++) {
                published(node.engine().publish(author, "first" + i).post());
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

    synchronized void published(Post post) {
        oracle.publish(post);
    }

    synchronized void deleted(PostKey key) {
        oracle.delete(key);
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
}
