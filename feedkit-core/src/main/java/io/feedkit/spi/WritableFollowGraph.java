package io.feedkit.spi;

import java.util.List;

/** A follow graph that FeedKit keeps itself. */
public interface WritableFollowGraph extends FollowGraph {

    /**
     * A reader follows an author.
     *
     * @param reader who follows
     * @param author who is followed
     */
    record Edge(String reader, String author) {}

    /**
     * Adds edges. For each atomically, counts included.
     *
     * @param edges the edges
     * @return for each, whether it was new
     */
    List<Boolean> add(List<Edge> edges);

    /**
     * Removes edges. For each atomically, counts included.
     *
     * @param edges the edges
     * @return for each, whether it was there
     */
    List<Boolean> remove(List<Edge> edges);

    /**
     * Lets both sides of edges agree, where a write that was cut short may have left an edge on one of them: the
     * author's side becomes what the reader's is. Changes that are made at the same time are not undone. Idempotent.
     *
     * @param edges the edges; whether they are there makes no difference
     */
    default void settle(List<Edge> edges) {
        // A graph that writes both sides in one step has nothing to settle.
    }
}
