package io.feedkit.jdbc.internal.graph;

import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.Collection;
import java.util.Set;

/**
 * Writes edges and the counts of their ends, in one transaction. A count changes only by the edges that the same transaction inserted or deleted, so that
 * counts cannot drift; users without edges have no row.
 */
interface EdgeWriter {

    /** Adds distinct edges, and returns those that were new. */
    Set<Edge> add(Collection<Edge> edges);

    /** Removes distinct edges, and returns those that were there. */
    Set<Edge> remove(Collection<Edge> edges);
}
