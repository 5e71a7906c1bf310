package io.feedkit.redis.internal.graph;

import io.feedkit.redis.internal.call.IdScan;
import io.feedkit.redis.internal.call.Link;
import io.feedkit.redis.internal.format.Keys;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.List;

/** The names of the keys of the graph. */
record GraphKeys(Keys keys) {

    private static final String FOLLOWEES = "followees";
    private static final String FOLLOWERS = "followers";

    /** The kinds of the keys of both sides. */
    static final List<String> SIDES = List.of(FOLLOWEES, FOLLOWERS);

    IdScan scan(Link link) {
        return new IdScan(link, keys);
    }

    byte[] followees(String reader) {
        return keys.ofUser(FOLLOWEES, reader);
    }

    byte[] followers(String author) {
        return keys.ofUser(FOLLOWERS, author);
    }

    /** The reader's changes that may not have reached the author's side yet. */
    byte[] edges(String reader) {
        return keys.ofUser("edges", reader);
    }

    /** The fence, which rejects late changes of an edge on the author's side. */
    byte[] fence(Edge edge) {
        return keys.ofPair("fence", edge.author(), edge.reader());
    }

    List<byte[]> readersSide(Edge edge) {
        return List.of(followees(edge.reader()), edges(edge.reader()));
    }

    List<byte[]> authorsSide(Edge edge) {
        return List.of(followers(edge.author()), fence(edge));
    }
}
