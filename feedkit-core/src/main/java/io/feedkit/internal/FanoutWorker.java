package io.feedkit.internal;

import io.feedkit.PostKey;
import io.feedkit.event.TaskFinished;
import io.feedkit.internal.Settings.Fanout;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.FollowGraph.FollowCounts;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.PulledRegister.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works off the fan-out log. A round claims some tasks, does a batch of each, and goes on with those that are not done until a quantum of time is over; then it gives
 * them back, and they take turns with all others. So small tasks travel together, and no huge one holds a worker. Between rounds a worker knows nothing: any other
 * may go on. Thread-safe: each round is the business of the thread that runs it.
 */
public final class FanoutWorker {

    private static final Logger log = LoggerFactory.getLogger(FanoutWorker.class);

    private static final int CLAIMS = 64;
    private static final long QUANTUM_NANOS = 25_000_000;
    private static final int MAX_RANGES = 64;

    private final Parts parts;
    private final FanoutLog fanoutLog;
    private final Fanout settings;
    private final long leaseMillis;
    private final Outages outages = new Outages();
    private final FanoutFailures failures;

    public FanoutWorker(Parts parts) {
        this.parts = parts;
        this.fanoutLog = parts.outbox().fanout();
        this.settings = parts.settings().fanout();
        this.leaseMillis = settings.lease().toMillis();
        this.failures = new FanoutFailures(parts, outages);
    }

    /** What a round did: how many tasks it claimed, and how many of them it finished. */
    public record Round(int claimed, int finished) {}

    /** Runs one round. */
    public Round run() {
        List<HeldTask> tasks = new ArrayList<>();
        List<Claim> claims = fanoutLog.claim(CLAIMS, leaseMillis);
        for (Claim claim : claims) {
            if (claim.task().attempts() >= settings.maxAttempts()) {
                failures.abandoned(new HeldTask(claim));
            } else {
                tasks.add(new HeldTask(claim));
            }
        }
        int finished = 0;
        long end = System.nanoTime() + QUANTUM_NANOS;
        while (!tasks.isEmpty()) {
            List<HeldTask> succeeded = batch(tasks, end);
            finished += finish(succeeded.stream().filter(HeldTask::isDone).toList());
            tasks = goOn(succeeded.stream().filter(task -> !task.isDone()).toList(), System.nanoTime() - end >= 0);
        }
        return new Round(claims.size(), finished);
    }

    private String engine() {
        return parts.settings().name();
    }

    /** Does a batch of each task; if that fails, of one after the other, so that only the guilty fail. */
    private List<HeldTask> batch(List<HeldTask> tasks, long end) {
        try {
            new FanoutBatch(parts, tasks).run();
            outages.over(tasks);
            return tasks;
        } catch (RuntimeException together) {
            if (tasks.size() > 1) {
                return oneByOne(tasks, Outages.isOutage(together), end);
            }
            failures.fail(tasks.get(0), together);
            return List.of();
        }
    }

    /**
     * Does a batch of one task after the other. A store that is down may take its time to say so, with many tasks longer than their leases: when the quantum is over
     * in an outage, one more is tried, and those behind it are not.
     */
    private List<HeldTask> oneByOne(List<HeldTask> tasks, boolean outage, long end) {
        List<HeldTask> succeeded = new ArrayList<>();
        boolean down = outage;
        boolean last = false;
        for (int i = 0; i < tasks.size() && !last; i++) {
            HeldTask task = tasks.get(i);
            last = down && System.nanoTime() - end >= 0;
            if (last && !keepOnly(task, tasks.subList(i + 1, tasks.size()))) {
                break;
            }
            try {
                new FanoutBatch(parts, List.of(task)).run();
                outages.over(List.of(task));
                succeeded.add(task);
            } catch (RuntimeException alone) {
                down |= Outages.isOutage(alone);
                failures.fail(task, alone);
            }
        }
        return succeeded;
    }

    /** Gives other tasks back as they are, and extends the lease of the one; says whether it is still ours. */
    private boolean keepOnly(HeldTask task, List<HeldTask> others) {
        if (!others.isEmpty()) {
            fanoutLog.release(others.stream()
                    .map(other -> new Release(other.claim(), other.after(), 0))
                    .toList());
        }
        return fanoutLog
                .checkpoint(List.of(new Progress(task.claim(), task.after())), leaseMillis)
                .get(0);
    }

    private int finish(List<HeldTask> done) {
        List<HeldTask> finished = new ArrayList<>();
        List<PostKey> retracted = new ArrayList<>();
        for (HeldTask task : done) {
            if (task.kind() == Kind.RETRACT) {
                fanoutLog.retractAgain(task.claim(), leaseMillis);
            } else {
                finished.add(task);
            }
            if (task.kind() == Kind.RETRACT_AGAIN) {
                retracted.add(task.post().key());
            }
        }
        if (!retracted.isEmpty()) {
            parts.register().retracted(retracted);
        }
        for (HeldTask task : finished) {
            if (task.kind() == Kind.CATCH_UP) {
                parts.register().remove(task.task().author(), task.task().version());
            }
        }
        try {
            catchUp(finished);
        } catch (RuntimeException e) {
            log.debug("{}: authors stay in the pulled register until their next push", engine(), e);
        }
        if (!finished.isEmpty()) {
            fanoutLog.finish(
                    finished.stream().map(HeldTask::claim).toList(),
                    settings.replayHorizon().toMillis());
        }
        tellFinished(finished);
        return finished.size();
    }

    /** Starts to take authors off the pulled register whose latest post was pushed. */
    private void catchUp(List<HeldTask> finished) {
        List<HeldTask> pushed =
                finished.stream().filter(task -> task.kind() == Kind.PUSH).toList();
        if (pushed.isEmpty()) {
            return;
        }
        parts.register().refreshIfStale();
        List<HeldTask> pushedAgain = pushed.stream()
                .filter(task -> parts.register().isPulled(task.task().author()))
                .toList();
        if (pushedAgain.isEmpty()) {
            return;
        }
        Map<String, Entry> pulled = parts.register().refresh().pulled();
        for (HeldTask task : pushedAgain) {
            Entry entry = pulled.get(task.task().author());
            if (entry != null && entry.newest().compareTo(task.task().newest()) < 0) {
                fanoutLog.catchUp(task.task().author(), entry);
            }
        }
    }

    /** Keeps the tasks that may go on at once, and gives the others back. */
    private List<HeldTask> goOn(List<HeldTask> unfinished, boolean quantumOver) {
        List<Release> releases = new ArrayList<>();
        List<HeldTask> kept = new ArrayList<>();
        for (HeldTask task : unfinished) {
            if (task.kind() == Kind.PUSH_ACTIVE) {
                long delay = 1000L * task.handled() / settings.activePushRate();
                releases.add(new Release(task.claim(), task.after(), delay));
            } else if (!split(task)) {
                if (quantumOver) {
                    releases.add(new Release(task.claim(), task.after(), 0));
                } else {
                    kept.add(task);
                }
            }
        }
        if (!releases.isEmpty()) {
            fanoutLog.release(releases);
        }
        if (kept.isEmpty()) {
            return kept;
        }
        List<Boolean> ours = fanoutLog.checkpoint(
                kept.stream()
                        .map(task -> new Progress(task.claim(), task.after()))
                        .toList(),
                leaseMillis);
        List<HeldTask> still = new ArrayList<>();
        for (int i = 0; i < kept.size(); i++) {
            if (ours.get(i)) {
                still.add(kept.get(i));
            }
        }
        return still;
    }

    /** Cuts a huge push into ranges that several workers can do at once; what its first batch has done is done again. */
    private boolean split(HeldTask task) {
        Task whole = task.task();
        if (task.kind() != Kind.PUSH
                || !whole.after().isEmpty()
                || !whole.range().equals(KeyRange.ALL)
                || !task.considerSplit()) {
            return false;
        }
        try {
            List<KeyRange> ranges = ranges(whole.author());
            return ranges.size() > 1 && fanoutLog.split(task.claim(), ranges);
        } catch (RuntimeException e) {
            log.debug("{}: {} of {} goes on in one piece", engine(), task.kind(), whole.author(), e);
            return false;
        }
    }

    private List<KeyRange> ranges(String author) {
        FollowCounts counts = parts.graph().counts(List.of(author)).get(author);
        if (counts == null || counts.followers() <= settings.splitAbove()) {
            return List.of(KeyRange.ALL);
        }
        int wanted = (int) Math.min(MAX_RANGES, 1 + counts.followers() / settings.splitAbove());
        return parts.graph().split(author, wanted);
    }

    private void tellFinished(List<HeldTask> finished) {
        for (HeldTask task : finished) {
            Duration age =
                    Duration.ofMillis(Math.max(0, parts.now() - task.task().created()));
            parts.events()
                    .tell(listener -> listener.taskFinished(
                            new TaskFinished(task.kind().name(), task.task().author(), age)));
        }
    }
}
