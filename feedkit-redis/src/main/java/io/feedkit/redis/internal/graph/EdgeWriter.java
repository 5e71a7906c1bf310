package io.feedkit.redis.internal.graph;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.graph.EdgeWrite.DesiredState;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.spi.WritableFollowGraph.Redirection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Writes edges. The two sides of an edge are in different places: the reader's followees and the author's followers.
 * The reader's side is the source of truth. The author's side serves the fan-out.
 *
 * <p>A change takes three steps. (1) The edge changes on the reader's side. The change gets a version above all earlier
 * ones, and leaves a mark: the author's side may not have it yet. (2) The change is applied on the author's side. (3)
 * The mark is removed if it is still that of this change.
 *
 * <p>A change that finds a mark has overtaken another change, or follows one whose writer died. The earlier change may
 * reach the author's side at any time. So in step (2) the later change leaves a fence there: its version, which rejects
 * older changes. A fence lasts for an hour, and no command is under way that long. A change that finds no mark needs no
 * fence, because every earlier change has reached the author's side, or was overtaken by one that left a fence. So
 * after concurrent changes, both sides of an edge end in the state of the reader's side. An edge without changes under
 * way takes no memory beside its two sides.
 *
 * <p>If a fence rejects a change, the writer reads the state of the edge on the reader's side, under a version above
 * the fence, and applies that state on the author's side. So if versions start again, because a server lost some or its
 * clock was set back, the two sides do not differ for long.
 *
 * <p>If the writer dies after step (1) or (2), the mark stays. The author's side then has the old state or the new one.
 * A superfluous follower costs useless deliveries, but reads use the reader's side. A missing follower has a pending
 * follow, and reads the author's outbox until a reconciliation ends the pending follow. The reconciliation also settles
 * the edge, and so does writing the edge again: both always take all three steps.
 */
final class EdgeWriter {

    private final EdgeSteps steps;

    EdgeWriter(EdgeSteps steps) {
        this.steps = steps;
    }

    /** Returns for each edge whether its state changed. */
    List<Boolean> write(String operation, List<Edge> edges, DesiredState desired) {
        if (edges.isEmpty()) {
            return List.of();
        }
        List<EdgeWriteResult> changes = steps.change(
                operation,
                edges.stream().map(edge -> new EdgeWrite(edge, desired, 0)).toList());
        try {
            finish(operation, changes);
        } catch (StoreUnavailableException e) {
            throw new OutcomeUnknownException(operation, e);
        }
        return changes.stream().map(EdgeWriteResult::changed).toList();
    }

    /**
     * Redirects edges to another author. The readers are added to that author's side first. If the writer then dies,
     * the author has a superfluous follower, but never lacks one whose reader may have no pending follow.
     */
    List<Redirection> redirect(String operation, List<Edge> edges, String author) {
        if (edges.isEmpty()) {
            return List.of();
        }
        steps.announce(operation, edges.stream().map(Edge::reader).toList(), author);
        try {
            List<EdgeWriteResult> changes = steps.redirect(operation, edges, author);
            finish(operation, changes);
            List<Redirection> answers = new ArrayList<>(edges.size());
            for (int i = 0; i < changes.size(); i += 2) {
                answers.add(redirection(changes.get(i), changes.get(i + 1)));
            }
            return Collections.unmodifiableList(answers);
        } catch (StoreUnavailableException e) {
            throw new OutcomeUnknownException(operation, e);
        }
    }

    private static Redirection redirection(EdgeWriteResult removed, EdgeWriteResult added) {
        if (!removed.changed()) {
            return Redirection.ABSENT;
        }
        return added.changed() ? Redirection.MOVED : Redirection.MERGED;
    }

    private void finish(String operation, List<EdgeWriteResult> begun) {
        List<EdgeWriteResult> changes = begun;
        while (!changes.isEmpty()) {
            List<Long> newer = steps.mirror(operation, changes);
            List<EdgeWriteResult> mirrored = new ArrayList<>();
            List<EdgeWrite> rejected = new ArrayList<>();
            for (int i = 0; i < changes.size(); i++) {
                if (newer.get(i) == 0) {
                    mirrored.add(changes.get(i));
                } else {
                    rejected.add(new EdgeWrite(changes.get(i).edge(), DesiredState.AS_IT_IS, newer.get(i)));
                }
            }
            steps.settle(operation, mirrored);
            changes = steps.change(operation, rejected);
        }
    }
}
