package io.feedkit.survival;

import io.feedkit.Post;
import io.feedkit.testservers.survival.Members;
import io.feedkit.testservers.survival.Node;
import io.feedkit.testservers.survival.Truth;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/** Publishes and deletes posts, and records the acknowledged ones. Used by one thread. */
final class Posting {

    private static final int DELETED = 5;

    private final Node node;
    private final Members members;
    private final Truth truth;
    private final Random random;
    private final Deque<Post> own = new ArrayDeque<>();
    private int posts;

    Posting(Node node, Members members, Truth truth, Random random) {
        this.node = node;
        this.members = members;
        this.truth = truth;
        this.random = random;
    }

    /** Publishes posts, and deletes every fifth post after some further ones. */
    void publish(int count) {
        for (int n = 0; n < count; n++) {
            Post post = new Post(members.anAuthor(random), "post-" + posts++, Instant.now());
            node.engine().publish(post);
            truth.published(post);
            own.add(post);
            if (posts % DELETED == 0) {
                Post gone = own.remove();
                node.engine().delete(gone.author(), gone.id());
                truth.deleted(gone.key());
            }
        }
    }
}
