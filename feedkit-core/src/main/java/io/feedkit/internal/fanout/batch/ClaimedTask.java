package io.feedkit.internal.fanout.batch;

import io.feedkit.Post;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Outage;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.FollowGraph.IdPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A task that a worker holds, and its progress since it was claimed. Used by one thread. */
public final class ClaimedTask {

    private final TaskSteps steps;
    private final Claim claim;
    private TaskCursor cursor;
    private boolean probing;
    private boolean putOff;
    private boolean done;
    private boolean splitConsidered;
    private boolean causedError;
    private boolean released;
    private int handled;

    public ClaimedTask(Claim claim) {
        this.steps = TaskSteps.of(claim.task().kind());
        this.claim = claim;
        this.cursor = TaskCursor.parse(claim.task().after());
    }

    public Claim claim() {
        return claim;
    }

    public Task task() {
        return claim.task();
    }

    public Kind kind() {
        return claim.task().kind();
    }

    /** The last follower of the batches so far; the next batch continues after it. */
    String after() {
        return cursor.tried();
    }

    /** The cursor to record in the log. */
    public String cursor() {
        return cursor.text();
    }

    /** How often the task failed since its last progress. */
    public int attempts() {
        return isFresh() ? task().attempts() : 0;
    }

    /**
     * How often in a row the task could not reach a store. While the task skips readers, progress does not end the
     * outage.
     */
    public Outage outage() {
        return isFresh() || cursor.isPutOff() ? task().outage() : Outage.NONE;
    }

    public boolean isDone() {
        return done;
    }

    /** Whether no batch was done since the task was claimed. */
    boolean isFresh() {
        return cursor().equals(task().after());
    }

    public TaskSteps steps() {
        return steps;
    }

    /** How many followers the last batch had. */
    public int handled() {
        return handled;
    }

    /** Whether this task is at its beginning, and its range begins with the first follower. */
    boolean isAtStart() {
        return after().isEmpty() && task().range().from().isEmpty();
    }

    /** Returns true on the first call only: a split is considered once. */
    public boolean considerSplit() {
        boolean first = !splitConsidered;
        splitConsidered = true;
        return first;
    }

    /**
     * Limits the next batch to a single follower, if the task was put off and must begin with a reader who was not
     * reached. If that reader is still not reached, nothing is repeated for the others.
     */
    public void probe() {
        probing = cursor.isPutOff() && !cursor.isBehind();
    }

    boolean isProbing() {
        return probing;
    }

    /** Records that a batch was done for all followers of the page, except the unreached readers. */
    void advance(IdPage page, Set<String> unreached) {
        handled = page.ids().size();
        putOff = probing && !unreached.isEmpty();
        probing = false;
        if (putOff) {
            return;
        }
        TaskCursor next = cursor.after(page.ids(), unreached);
        if (page.more()) {
            cursor = next;
        } else if (next.isPutOff()) {
            cursor = next.atEnd();
            putOff = true;
        } else {
            done = true;
        }
    }

    /** Whether readers after the cursor were skipped, because they were not reached. */
    public boolean isBehind() {
        return cursor.isBehind();
    }

    /** Whether the task has to wait, because all followers were tried, and some were not reached. */
    public boolean isPutOff() {
        return putOff;
    }

    /**
     * Records that the task caused the error that ends the round: it threw the error, or its failure could not be
     * recorded.
     */
    public void markCausedError() {
        causedError = true;
    }

    /** Withdraws {@link #markCausedError}. */
    public void clearError() {
        causedError = false;
    }

    /** Records that the task was put back, and this worker no longer holds it. */
    public void markReleased() {
        released = true;
    }

    public boolean isReleased() {
        return released;
    }

    public boolean causedError() {
        return causedError;
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
