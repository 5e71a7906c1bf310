package io.feedkit.jdbc.internal.graph;

import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.spi.WritableFollowGraph.Redirection;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Writes edges, and the counts of their two users, in one transaction. A count changes only by the edges that the same
 * transaction inserted or deleted, so counts cannot drift. Users without edges have no row.
 */
interface EdgeWriter {

    /** Adds distinct edges, and returns the new ones. */
    Set<Edge> add(Collection<Edge> edges);

    /** Removes distinct edges, and returns those that existed. */
    Set<Edge> remove(Collection<Edge> edges);

    /** Redirects distinct edges to another author, and returns those that existed, with what became of them. */
    Map<Edge, Redirection> redirect(Collection<Edge> edges, String author);
}
