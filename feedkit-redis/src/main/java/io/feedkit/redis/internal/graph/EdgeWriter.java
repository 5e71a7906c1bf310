package io.feedkit.redis.internal.graph;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.graph.EdgeWrite.DesiredState;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes edges, whose two sides are in different places: the reader's followees, and the author's followers. The reader's side is the truth; the author's side is for the fan-out.
 *
 * <p>A change takes three steps. (1) The edge changes on the reader's side, where the change gets a version above all earlier ones, and a mark that says that the author may not know it
 * yet. (2) The author's side is told. (3) The mark goes, if it is still this change's.
 *
 * <p>A change that finds a mark has overtaken another, or follows one that died: the earlier one may reach the author at any time. So it leaves a fence there in step (2), its
 * version, which turns away what is older. A fence stands for an hour, and no command is under way for so long. A change that finds none need not leave any: whatever
 * came before it has reached the author, or was overtaken by one that left a fence. So concurrent changes of an edge end on both sides as on the reader's, and a quiet edge costs
 * nothing beside its two sides.
 *
 * <p>What is turned away by a fence asks the reader's side how the edge is now, under a version above the fence, and tells the author that. Thus it does not matter for long
 * if versions began anew, because a server lost some or its clock was set back.
 *
 * <p>If the writer dies after (1) or (2), the mark stays, and the author's side is what it was, or what it should be: a follower too many is delivered to in vain, for readers go by their
 * own side; one who is missing has an unfinished follow, and is served from the outbox until a refresh ends that. Whoever ends it asks for the edge to be settled, and so does writing the edge again: both always take all steps.
 */
final class EdgeWriter {

    private final EdgeSteps steps;

    EdgeWriter(EdgeSteps steps) {
        this.steps = steps;
    }

    /** Whether each was otherwise before. */
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
