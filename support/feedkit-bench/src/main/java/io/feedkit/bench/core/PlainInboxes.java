package io.feedkit.bench.core;

import io.feedkit.Post;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fan-out that a host would write first: a map of deques and a loop over the followers. It keeps only the order of
 * arrival, finds no duplicates, survives no crash and serves one thread. The comparison shows the cost of FeedKit's
 * promises.
 */
final class PlainInboxes {

    private static final int PAGE = 1000;

    private final Map<String, ArrayDeque<Post>> inboxes = new HashMap<>();
    private final FollowGraph graph;
    private final int cap;

    PlainInboxes(FollowGraph graph, int cap) {
        this.graph = graph;
        this.cap = cap;
    }

    /** Opens an inbox with some posts, given oldest first. */
    void open(String reader, List<Post> posts) {
        ArrayDeque<Post> inbox = new ArrayDeque<>(cap + 1);
        posts.subList(Math.max(0, posts.size() - cap), posts.size()).forEach(inbox::addFirst);
        inboxes.put(reader, inbox);
    }

    /** Delivers a post to all followers, and returns their number. */
    int fanOut(Post post) {
        int reached = 0;
        String after = "";
        IdPage page;
        do {
            page = graph.followers(List.of(new FollowerQuery(post.author(), KeyRange.ALL, after, PAGE)))
                    .get(0);
            for (String follower : page.ids()) {
                deliver(inboxes.get(follower), post);
            }
            reached += page.ids().size();
            after = page.ids().isEmpty() ? after : page.ids().get(page.ids().size() - 1);
        } while (page.more());
        return reached;
    }

    private void deliver(@Nullable ArrayDeque<Post> inbox, Post post) {
        if (inbox != null) {
            inbox.addFirst(post);
            if (inbox.size() > cap) {
                inbox.removeLast();
            }
        }
    }
}
