package io.feedkit.internal.fanout;

import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.fanout.batch.ClaimedTask;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.FollowGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leases tasks to a worker, extends the leases, splits large tasks, and gives unfinished ones back. Thread-safe. */
public final class TaskLeases {

    private static final Logger log = LoggerFactory.getLogger(FanoutRound.class);

    private final EngineSettings settings;
    private final FanoutLog fanoutLog;
    private final TaskSplitter splitter;
    private final long leaseMillis;

    public TaskLeases(EngineSettings settings, FollowGraph graph, FanoutLog fanoutLog) {
        this.settings = settings;
        this.fanoutLog = fanoutLog;
        this.splitter = new TaskSplitter(settings, graph, fanoutLog);
        this.leaseMillis = settings.fanout().tasks().lease().toMillis();
    }

    /** Leases up to {@code max} tasks of a source. */
    List<Claim> claim(TaskSource source, int max) {
        return source.claim(max, leaseMillis);
    }

    /** Releases tasks without a delay, with their present cursors. */
    void release(Collection<ClaimedTask> tasks) {
        if (!tasks.isEmpty()) {
            fanoutLog.release(tasks.stream()
                    .map(task -> new Release(task.claim(), task.cursor(), 0))
                    .toList());
        }
    }

    /**
     * Records the cursors of tasks and extends their leases. Returns the tasks that are still leased to this worker.
     */
    List<ClaimedTask> extend(Collection<ClaimedTask> tasks) {
        if (tasks.isEmpty()) {
            return List.of();
        }
        List<Boolean> ours = fanoutLog.checkpoint(progress(tasks), leaseMillis);
        List<ClaimedTask> still = new ArrayList<>();
        Iterator<Boolean> answer = ours.iterator();
        for (ClaimedTask task : tasks) {
            if (answer.next()) {
                still.add(task);
            }
        }
        return still;
    }

    /** Keeps the tasks that may continue at once, and releases the others. */
    List<ClaimedTask> continueOrRelease(TaskSource source, List<ClaimedTask> unfinished, boolean quantumOver) {
        List<Release> paced = new ArrayList<>();
        List<ClaimedTask> continuing = new ArrayList<>();
        for (ClaimedTask task : unfinished) {
            if (task.steps().isPaced()) {
                long delay =
                        1000L * task.handled() / settings.fanout().activePush().rate();
                paced.add(new Release(task.claim(), task.cursor(), delay));
            } else if (!splitter.split(task)) {
                continuing.add(task);
            }
        }
        if (!paced.isEmpty()) {
            fanoutLog.release(paced);
        }
        if (!quantumOver) {
            return extend(continuing);
        }
        if (!continuing.isEmpty()) {
            source.putBack(progress(continuing));
            continuing.forEach(ClaimedTask::markReleased);
        }
        return List.of();
    }

    private static List<Progress> progress(Collection<ClaimedTask> tasks) {
        return tasks.stream()
                .map(task -> new Progress(task.claim(), task.cursor()))
                .toList();
    }

    /**
     * Releases all tasks that this round still holds, so that they need not wait for the end of their leases. The task
     * that caused the error is not released: its attempt counts.
     */
    void releaseAllExceptFailed(List<ClaimedTask> tasks) {
        try {
            release(tasks.stream()
                    .filter(task -> !task.causedError() && !task.isReleased())
                    .toList());
        } catch (Exception e) {
            log.debug(
                    "{}: cannot release {} tasks; they are due when their leases end",
                    settings.name(),
                    tasks.size(),
                    FailureReasons.printable(e));
        }
    }
}
