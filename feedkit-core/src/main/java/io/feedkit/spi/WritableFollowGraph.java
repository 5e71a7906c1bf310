package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.internal.check.Arguments;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
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

    /** The result of redirecting an edge. */
    enum Redirection {
        /** There was no such edge; nothing changed. */
        ABSENT,
        /** The reader follows the other author instead. */
        MOVED,
        /** The reader followed the other author before; the edge was removed. */
        MERGED
    }

    /**
     * Redirects edges: their readers follow another author instead. For each reader, the edge is removed and the other
     * one added in one step, so a reader whose edge another call removes is not made to follow the other author. A
     * graph with two sides adds the readers to the other author's side first. If the call throws, some edges may have
     * been redirected. Repeating it redirects the others, and makes both sides equal. Idempotent.
     *
     * <p>The default adds, removes, and takes back what it added for edges that were gone. If it is interrupted in
     * between, a reader may follow both authors, or the other author without having followed the first one.
     *
     * @param edges the edges; no reader occurs twice, and none has the other author as its reader or author
     * @param author the other author
     * @return for each edge what became of it
     */
    default List<Redirection> redirect(List<Edge> edges, String author) {
        List<Edge> others =
                edges.stream().map(edge -> new Edge(edge.reader(), author)).toList();
        List<Boolean> added = add(others);
        List<Boolean> removed = removeAfterAdd(edges);
        List<Redirection> answers = new ArrayList<>(edges.size());
        List<Edge> wrong = new ArrayList<>();
        for (int i = 0; i < edges.size(); i++) {
            if (removed.get(i)) {
                answers.add(added.get(i) ? Redirection.MOVED : Redirection.MERGED);
            } else {
                answers.add(Redirection.ABSENT);
                if (added.get(i)) {
                    wrong.add(others.get(i));
                }
            }
        }
        if (!wrong.isEmpty()) {
            List<Boolean> unused = removeAfterAdd(wrong);
        }
        return Collections.unmodifiableList(answers);
    }

    private List<Boolean> removeAfterAdd(List<Edge> edges) {
        try {
            return remove(edges);
        } catch (StoreUnavailableException e) {
            throw new OutcomeUnknownException("graph.redirect", e);
        }
    }

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
