package io.feedkit.internal;

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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works off the fan-out log. A round claims some tasks, does a batch of each, and goes on with those that are not done until a quantum of time is over; then it gives
 * them back, and they take turns with all others. So small tasks travel together, and no huge one holds a worker. Tasks that met a store which could not be reached
 * travel by themselves, behind the others. Between rounds a worker knows nothing more: any other may go on. Thread-safe: each round is the business of the thread that runs it.
 */
public final class FanoutWorker {

    private static final Logger log = LoggerFactory.getLogger(FanoutWorker.class);

    private static final int FEWEST_CLAIMS = 64;
    private static final int MOST_CLAIMS = 128;
    private static final long QUANTUM_NANOS = 25_000_000;
    private static final int MAX_RANGES = 64;

    private static final int HASTENED_AT_ONCE = 1000;
    private static final int MOST_HASTENING_CALLS = 100;

    /** How many tasks tried alone must fail in a row before a slow store counts as down for those behind them, too. */
    private static final int ENOUGH_FAILURES = 3;

    private final Parts parts;
    private final FanoutLog fanoutLog;
    private final Fanout settings;
    private final long leaseMillis;
    private final Outages outages = new Outages();
    private final FanoutFailures failures;
    private volatile int claims = FEWEST_CLAIMS;

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
        parts.doubts().look();
        parts.uncommitted().lookIfDue(parts);
        long doubts = parts.doubts().before();
        int most = claims;
        long begin = System.nanoTime();
        Round round = run(fanoutLog.claim(most, leaseMillis), doubts);
        claims = claimsAfter(most, round, isOver(begin + QUANTUM_NANOS));
        hastenIfRecovered();
        return round;
    }

    /** Twice as many where all were small, since what a round costs the store it costs once; few where some were not, or all took long, so that leases are sure to last. */
    private static int claimsAfter(int most, Round round, boolean late) {
        if (late || round.finished() < round.claimed()) {
            return FEWEST_CLAIMS;
        }
        return round.claimed() < most ? most : Math.min(2 * most, MOST_CLAIMS);
    }

    private Round run(List<Claim> claimed, long doubts) {
        List<HeldTask> tasks = new ArrayList<>();
        for (Claim claim : claimed) {
            if (claim.task().attempts() >= settings.maxAttempts()) {
                failures.abandoned(new HeldTask(claim));
            } else {
                tasks.add(new HeldTask(claim));
            }
        }
        try {
            return new Round(claimed.size(), workOff(undoubted(tasks)));
        } catch (Throwable e) {
            giveBackInnocent(tasks);
            throw e;
        } finally {
            parts.doubts().finished(doubts);
        }
    }

    /** Lets tasks begin again of which a part is doubted; the tasks that are still ours. */
    private List<HeldTask> undoubted(List<HeldTask> tasks) {
        List<HeldTask> doubted = tasks.stream()
                .filter(task -> parts.doubts().concern(task.task()))
                .toList();
        doubted.forEach(HeldTask::beginAgain);
        List<HeldTask> ours = checkpoint(doubted);
        List<HeldTask> undoubted = tasks.stream()
                .filter(task -> !doubted.contains(task) || ours.contains(task))
                .toList();
        undoubted.forEach(task -> parts.doubts().begin(task.task()));
        return undoubted;
    }

    /** Gives all tasks back that are still held, so that they need not wait for their leases to end, but the one that threw an error: its attempt counts. */
    private void giveBackInnocent(List<HeldTask> tasks) {
        try {
            giveBack(tasks.stream().filter(task -> !task.isToBlame()).toList());
        } catch (Exception e) {
            log.debug("{}: {} tasks are left to their leases", engine(), tasks.size(), e);
        }
    }

    private int workOff(List<HeldTask> tasks) {
        long end = System.nanoTime() + QUANTUM_NANOS;
        List<HeldTask> hindered = tasks.stream().filter(outages::remember).toList();
        List<HeldTask> others =
                tasks.stream().filter(task -> !hindered.contains(task)).toList();
        return workOff(others, end) + workOff(stillOurs(hindered, end), end);
    }

    /** Does a batch of each task at least; says how many tasks were finished. */
    private int workOff(List<HeldTask> held, long end) {
        int finished = 0;
        List<HeldTask> tasks = held;
        while (!tasks.isEmpty()) {
            List<HeldTask> succeeded = batch(tasks, end);
            finished += finish(succeeded.stream().filter(HeldTask::isDone).toList());
            tasks = goOn(succeeded.stream().filter(task -> !task.isDone()).toList(), isOver(end));
        }
        return finished;
    }

    private static boolean isOver(long end) {
        return System.nanoTime() - end >= 0;
    }

    /** Extends the leases of tasks that had to wait, if that was long; those that are still ours. */
    private List<HeldTask> stillOurs(List<HeldTask> waiting, long end) {
        return waiting.isEmpty() || !isOver(end) ? waiting : checkpoint(waiting);
    }

    private String engine() {
        return parts.settings().name();
    }

    /**
     * Does a batch of each task, or of as many as fill a call; if that fails, of one after the other, so that only the guilty fail. Those that went well, in the order
     * of their next turns.
     */
    private List<HeldTask> batch(List<HeldTask> tasks, long end) {
        if (tasks.size() == 1) {
            return alone(tasks.get(0)).isEmpty() ? tasks : List.of();
        }
        try {
            FanoutBatch batch = new FanoutBatch(parts, tasks);
            batch.run();
            succeeded(batch);
            List<HeldTask> next = new ArrayList<>(batch.putOff());
            next.addAll(batch.done());
            return next;
        } catch (Throwable together) {
            return oneByOne(tasks, Outages.isOutage(together), end);
        }
    }

    /**
     * Does a batch of one task after the other. A store that is down may take its time to say so, with many tasks longer than their leases: when the quantum is over
     * in an outage, the leases are extended before each try, and after some failures in a row the tasks behind are given back untried. (Not after the first: where
     * only a part of the store is down, it is only some of the tasks that meet it.)
     */
    private List<HeldTask> oneByOne(List<HeldTask> tasks, boolean outage, long end) {
        List<HeldTask> succeeded = new ArrayList<>();
        Deque<HeldTask> left = new ArrayDeque<>(tasks);
        boolean down = outage;
        int failuresInARow = 0;
        while (!left.isEmpty()) {
            boolean slow = down && isOver(end);
            if (slow && failuresInARow >= ENOUGH_FAILURES) {
                giveBack(left);
                break;
            }
            left = slow ? new ArrayDeque<>(checkpoint(left)) : left;
            HeldTask task = left.poll();
            if (task == null) {
                break;
            }
            Optional<Throwable> failure = alone(task);
            if (failure.isEmpty()) {
                succeeded.add(task);
            }
            failuresInARow = failure.isEmpty() ? 0 : failuresInARow + 1;
            down |= failure.filter(Outages::isOutage).isPresent();
        }
        return succeeded;
    }

    /** Does a batch of one task; gives it back if that fails, and says why. */
    private Optional<Throwable> alone(HeldTask task) {
        try {
            FanoutBatch batch = new FanoutBatch(parts, List.of(task));
            batch.run();
            succeeded(batch);
            return Optional.empty();
        } catch (Throwable e) {
            fail(task, e);
            return Optional.of(e);
        }
    }

    /** Whatever keeps the failure from being noted: the task is not given back for at once, as those are that came with it. */
    private void fail(HeldTask task, Throwable failure) {
        task.blame();
        Callbacks.throwIfFatal(failure);
        failures.fail(task, failure);
        task.forgive();
    }

    private void succeeded(FanoutBatch batch) {
        if (batch.calledInbox()) {
            outages.reached(batch.done());
        } else {
            outages.over(batch.done());
        }
    }

    /** The first success after an outage wakes what waits for the inboxes, each for longer than they were away; when the round is over, since its leases run on. */
    private void hastenIfRecovered() {
        if (!outages.isRecovery(parts.now())) {
            return;
        }
        try {
            int calls = 0;
            while (fanoutLog.hasten(HASTENED_AT_ONCE) == HASTENED_AT_ONCE && calls < MOST_HASTENING_CALLS) {
                calls++;
            }
        } catch (Exception e) {
            log.debug("{}: what waits for a store is left to its delays", engine(), e);
        }
    }

    /** Gives tasks back as they are. */
    private void giveBack(Collection<HeldTask> tasks) {
        if (!tasks.isEmpty()) {
            fanoutLog.release(tasks.stream()
                    .map(task -> new Release(task.claim(), task.after(), 0))
                    .toList());
        }
    }

    /** Records how far tasks have come, and extends their leases; those that are still ours. */
    private List<HeldTask> checkpoint(Collection<HeldTask> tasks) {
        if (tasks.isEmpty()) {
            return List.of();
        }
        List<Boolean> ours = fanoutLog.checkpoint(
                tasks.stream()
                        .map(task -> new Progress(task.claim(), task.after()))
                        .toList(),
                leaseMillis);
        List<HeldTask> still = new ArrayList<>();
        Iterator<Boolean> answer = ours.iterator();
        for (HeldTask task : tasks) {
            if (answer.next()) {
                still.add(task);
            }
        }
        return still;
    }

    private int finish(List<HeldTask> done) {
        boolean retracted = retracted(
                done.stream().filter(task -> task.kind() == Kind.RETRACT_AGAIN).toList());
        List<HeldTask> finished =
                done.stream().filter(task -> conclude(task, retracted)).toList();
        try {
            catchUp(finished);
        } catch (Throwable e) {
            Callbacks.throwIfFatal(e);
            log.debug("{}: authors stay in the pulled register until their next push", engine(), e);
        }
        if (!finished.isEmpty()) {
            fanoutLog.finish(
                    finished.stream().map(HeldTask::claim).toList(),
                    settings.replayHorizon().toMillis());
        }
        finished.forEach(task -> parts.doubts().end(task.task()));
        tellFinished(finished);
        return finished.size();
    }

    /** Takes all posts out of the register that were retracted for good; false if that fails. */
    private boolean retracted(List<HeldTask> tasks) {
        try {
            if (!tasks.isEmpty()) {
                parts.register()
                        .retracted(tasks.stream().map(task -> task.post().key()).toList());
            }
            return true;
        } catch (Throwable e) {
            Callbacks.throwIfFatal(e);
            log.debug("{}: {} posts go out of the register one by one", engine(), tasks.size(), e);
            return false;
        }
    }

    /** Does what follows a task's last batch; false if that fails, or the task goes on as another. */
    private boolean conclude(HeldTask task, boolean retracted) {
        try {
            if (task.kind() == Kind.RETRACT) {
                fanoutLog.retractAgain(task.claim(), leaseMillis);
            } else if (task.kind() == Kind.RETRACT_AGAIN && !retracted) {
                parts.register().retracted(List.of(task.post().key()));
            } else if (task.kind() == Kind.CATCH_UP) {
                parts.register().remove(task.task().author(), task.task().version());
            }
            return task.kind() != Kind.RETRACT;
        } catch (Throwable e) {
            fail(task, e);
            return false;
        }
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
        return checkpoint(kept);
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
        } catch (Exception e) {
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
