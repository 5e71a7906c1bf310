package io.feedkit.internal.fanout;

import io.feedkit.Post;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.FollowGraph.IdPage;
import java.util.ArrayList;
import java.util.List;

/** A task that a worker holds, and its progress since it was claimed. Used by one thread. */
final class ClaimedTask {

    private final TaskSteps steps;
    private final Claim claim;
    private String after;
    private boolean done;
    private boolean splitConsidered;
    private boolean toBlame;
    private boolean left;
    private int handled;

    ClaimedTask(Claim claim) {
        this.steps = TaskSteps.of(claim.task().kind());
        this.claim = claim;
        this.after = claim.task().after();
    }

    Claim claim() {
        return claim;
    }

    Task task() {
        return claim.task();
    }

    Kind kind() {
        return claim.task().kind();
    }

    String after() {
        return after;
    }

    /** How often the task failed since its last progress. */
    int attempts() {
        return after.equals(task().after()) ? task().attempts() : 0;
    }

    boolean isDone() {
        return done;
    }

    /** Whether no batch was done since the task was claimed. */
    boolean isFresh() {
        return after.equals(task().after());
    }

    TaskSteps steps() {
        return steps;
    }

    /** How many followers the last batch had. */
    int handled() {
        return handled;
    }

    /** Whether this task is at its beginning, and its range begins with the first follower. */
    boolean isAtStart() {
        return after.isEmpty() && task().range().from().isEmpty();
    }

    /** Returns true on the first call only: a split is considered once. */
    boolean considerSplit() {
        boolean first = !splitConsidered;
        splitConsidered = true;
        return first;
    }

    void advance(IdPage page) {
        handled = page.ids().size();
        if (page.more()) {
            after = page.ids().get(page.ids().size() - 1);
        } else {
            done = true;
        }
    }

    /** Records that the task ends the round: it threw an error, or its failure could not be recorded. */
    void blame() {
        toBlame = true;
    }

    void forgive() {
        toBlame = false;
    }

    /** Records that the task was put back, and is not this worker's any more. */
    void leave() {
        left = true;
    }

    boolean isLeft() {
        return left;
    }

    boolean isToBlame() {
        return toBlame;
    }

    /** The readers of this page: its followers, and the author first if own posts belong to the feed. */
    List<String> readers(IdPage page, boolean ownPosts) {
        if (!ownPosts || !isAtStart() || page.ids().contains(task().author())) {
            return page.ids();
        }
        List<String> readers = new ArrayList<>(page.ids().size() + 1);
        readers.add(task().author());
        readers.addAll(page.ids());
        return readers;
    }

    Post post() {
        return task().post();
    }
}
