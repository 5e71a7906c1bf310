package io.feedkit.spi;

import io.feedkit.internal.check.Arguments;
import java.util.List;

/**
 * A follow graph that FeedKit keeps itself.
 *
 * @since 0.1.0
 */
public interface WritableFollowGraph extends FollowGraph {

    /**
     * A reader follows an author.
     *
     * @param reader who follows
     * @param author who is followed
     */
    record Edge(String reader, String author) {
        /** Refuses null. */
        public Edge {
            Arguments.nonNull("reader", reader);
            Arguments.nonNull("author", author);
        }
    }

    /**
     * Adds edges, each atomically together with the counts.
     *
     * @param edges the edges
     * @return for each edge whether it was new
     */
    List<Boolean> add(List<Edge> edges);

    /**
     * Removes edges, each atomically together with the counts.
     *
     * @param edges the edges
     * @return for each edge whether it was there
     */
    List<Boolean> remove(List<Edge> edges);

    /**
     * Makes both sides of edges equal. An interrupted write may have left an edge on one side only; then the author's
     * side becomes equal to the reader's side. Concurrent changes are not undone. Idempotent.
     *
     * @param edges the edges, present or not
     */
    default void settle(List<Edge> edges) {
        // A graph that writes both sides in one step has nothing to settle.
    }
}
