package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.internal.check.Arguments;
import java.util.Collection;
import java.util.List;
import java.util.Set;

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

    /**
     * Returns which edges exist on one side only. An edge whose write is under way may be among them. Changes nothing.
     *
     * @param edges the edges to look up, at most 1,000
     * @return those that exist for the reader but not for the author, or the reverse; none by default, because a graph
     *     that writes both sides in one step has no such edges
     */
    @Beta
    default Set<Edge> oneSided(Collection<Edge> edges) {
        return Set.of();
    }

    /**
     * Sets the counts of users to the numbers of their edges, for each user atomically with concurrent changes of
     * edges. Idempotent. The default does nothing: it is for a graph that does not store counts.
     *
     * @param users the users, at most 1,000; users without edges are not an error
     */
    @Beta
    default void recount(Collection<String> users) {
        // A graph that counts edges when it is asked has nothing to correct.
    }
}
