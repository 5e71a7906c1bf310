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
}
