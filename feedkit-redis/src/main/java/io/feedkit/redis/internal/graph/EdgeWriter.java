package io.feedkit.redis.internal.graph;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.graph.EdgeWrite.DesiredState;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes edges, whose two sides are in different places: the reader's followees and the author's followers. The
 * reader's side is the source of truth. The author's side serves the fan-out.
 *
 * <p>A change takes three steps. (1) The edge changes on the reader's side. The change gets a version above all earlier
 * ones, and leaves a mark: the author may not know it yet. (2) The author's side is told. (3) The mark is removed if it
 * is still that of this change.
 *
 * <p>A change that finds a mark has overtaken another change, or follows one whose writer died. The earlier change may
 * reach the author at any time. So in step (2) the later change leaves a fence at the author: its version, which
 * rejects older changes. A fence stands for an hour, and no command is under way that long. A change that finds no mark
 * needs no fence, because every earlier change has reached the author, or was overtaken by one that left a fence. So
 * concurrent changes of an edge end on both sides as on the reader's, and a quiet edge costs nothing beside its two
 * sides.
 *
 * <p>A change that a fence rejects asks the reader's side for the state of the edge, under a version above the fence,
 * and tells the author that state. So it does not matter for long if versions begin anew, because a server lost some or
 * its clock was set back.
 *
 * <p>If the writer dies after step (1) or (2), the mark stays. The author's side then has the old state or the new one.
 * A follower too many costs a delivery in vain, because reads go by the reader's side. A missing follower has a pending
 * follow, and reads the outbox until a reconciliation ends it. Whoever ends it also has the edge settled, and writing
 * the edge again settles it as well: both always take all three steps.
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

    private void finish(String operation, List<EdgeWriteResult> begun) {
        List<EdgeWriteResult> changes = begun;
        while (!changes.isEmpty()) {
            List<Long> newer = steps.mirror(operation, changes);
            List<EdgeWriteResult> told = new ArrayList<>();
            List<EdgeWrite> turnedAway = new ArrayList<>();
            for (int i = 0; i < changes.size(); i++) {
                if (newer.get(i) == 0) {
                    told.add(changes.get(i));
                } else {
                    turnedAway.add(new EdgeWrite(changes.get(i).edge(), DesiredState.AS_IT_IS, newer.get(i)));
                }
            }
            steps.settle(operation, told);
            changes = steps.change(operation, turnedAway);
        }
    }
}
