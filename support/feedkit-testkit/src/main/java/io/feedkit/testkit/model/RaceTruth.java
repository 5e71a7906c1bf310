package io.feedkit.testkit.model;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.testkit.oracle.OracleFeed;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The changes that racing threads have made. Their order does not matter: a deleted key stays deleted, and each edge
 * belongs to one thread.
 */
final class RaceTruth {

    private record Edge(String reader, String author) {}

    private final Map<PostKey, Post> published = new ConcurrentHashMap<>();
    private final Set<PostKey> deleted = ConcurrentHashMap.newKeySet();
    private final Set<Edge> edges = ConcurrentHashMap.newKeySet();

    void published(Post stored) {
        Post earlier = published.putIfAbsent(stored.key(), stored);
        if (earlier != null && !earlier.equals(stored)) {
            throw new AssertionError(stored + " was published before as " + earlier);
        }
    }

    void deleted(PostKey key) {
        deleted.add(key);
    }

    /** The posts that have been deleted by now. */
    Set<PostKey> deletedByNow() {
        return Set.copyOf(deleted);
    }

    void followed(String reader, String author) {
        edges.add(new Edge(reader, author));
    }

    void unfollowed(String reader, String author) {
        edges.remove(new Edge(reader, author));
    }

    boolean follows(String reader, String author) {
        return edges.contains(new Edge(reader, author));
    }

    OracleFeed oracle() {
        OracleFeed oracle = new OracleFeed(false);
        deleted.forEach(oracle::delete);
        published.values().forEach(oracle::publish);
        edges.forEach(edge -> oracle.follow(edge.reader(), edge.author()));
        return oracle;
    }
}
