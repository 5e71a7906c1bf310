package io.feedkit.internal.fanout;

import io.feedkit.event.OperationStarted;
import io.feedkit.event.TaskFinished;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.EngineSettings.Fanout;
import io.feedkit.internal.host.GuardedCallbacks;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.inbox.CheckedInserts;
import io.feedkit.internal.inbox.DeliveryLossRecovery;
import io.feedkit.internal.inbox.FollowersInboxes;
import io.feedkit.internal.signal.FeedSignals;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Outbox;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes due tasks of the fan-out log. A round claims some tasks and does a batch of each. It continues with
 * unfinished tasks until a quantum of time has passed. Then it gives them back, and they take turns with all other
 * tasks. So small tasks are processed together, and no huge task occupies a worker. Tasks that could not reach a store
 * are processed separately, after the others. A worker keeps no state between rounds: any worker may continue a task.
 * Thread-safe: the state of a round belongs to the thread that runs it.
 */
public final class FanoutRound {

    private static final Logger log = LoggerFactory.getLogger(FanoutRound.class);

    private static final int FEWEST_CLAIMS = 64;
    private static final int MOST_CLAIMS = 128;
    private static final long QUANTUM_NANOS = 25_000_000;

    private static final int HASTENED_AT_ONCE = 1000;
    private static final int MOST_HASTENING_CALLS = 100;

    /**
     * How many tasks must fail in a row, each on its own, before a slow store counts as down for the remaining tasks,
     * too.
     */
    private static final int ENOUGH_FAILURES = 3;

    private final EngineSettings settings;
    private final GuardedListener listener;
    private final RoundUpkeep upkeep;
    private final Function<List<ClaimedTask>, FanoutBatch> batches;
    private final FanoutLog fanoutLog;
    private final Fanout fanout;
    private final long leaseMillis;
    private final OutageRecovery recovery = new OutageRecovery();
    private final TaskFailures failures;
    private final TaskEndings endings;
    private final TaskSplitter splitter;
    private volatile int claims = FEWEST_CLAIMS;

    public FanoutRound(
            EngineSettings settings,
            Inbox inbox,
            Outbox outbox,
            FollowGraph graph,
            RegisterCache registerCache,
            GuardedListener listener,
            DeliveryLossRecovery losses,
            RoundUpkeep upkeep,
            CheckedInserts inserts,
            FollowersInboxes followersInboxes,
            FeedSignals signals) {
        this.settings = settings;
        this.listener = listener;
        this.upkeep = upkeep;
        this.batches = tasks -> new FanoutBatch(
                settings,
                inbox,
                outbox,
                graph,
                registerCache,
                listener,
                losses,
                inserts,
                followersInboxes,
                signals,
                tasks);
        this.fanoutLog = outbox.fanout();
        this.fanout = settings.fanout();
        this.leaseMillis = fanout.lease().toMillis();
        this.failures = new TaskFailures(settings, fanoutLog, registerCache, listener, recovery);
        this.endings = new TaskEndings(settings.name(), fanoutLog, registerCache, leaseMillis);
        this.splitter = new TaskSplitter(settings, graph, fanoutLog);
    }

    /** The result of a round: how many tasks it claimed, and how many of them it finished. */
    public record Round(int claimed, int finished) {}

    /** Runs one round with tasks of the source. */
    public Round run(TaskSource source) {
        upkeep.lookIfDue();
        int most = claims;
        long begin = System.nanoTime();
        Round round = run(source, source.claim(most, leaseMillis));
        claims = claimsAfter(most, round, isOver(begin + QUANTUM_NANOS));
        hastenIfRecovered();
        return round;
    }

    void lookAtHostChanges() {
        upkeep.lookAtHostChanges();
    }

    /**
     * How many tasks the next round claims. Twice as many if all tasks were small, because a round has the same cost
     * for many tasks. Few if some tasks were not finished, or if the round took long, so that leases do not run out.
     */
    private static int claimsAfter(int most, Round round, boolean late) {
        if (late || round.finished() < round.claimed()) {
            return FEWEST_CLAIMS;
        }
        return round.claimed() < most ? most : Math.min(2 * most, MOST_CLAIMS);
    }

    private Round run(TaskSource source, List<Claim> claimed) {
        List<ClaimedTask> tasks = new ArrayList<>();
        for (Claim claim : claimed) {
            if (claim.task().attempts() >= fanout.maxAttempts()) {
                failures.abandoned(new ClaimedTask(claim));
            } else {
                tasks.add(new ClaimedTask(claim));
            }
        }
        try {
            return new Round(claimed.size(), tasks.isEmpty() ? 0 : observe(source, tasks));
        } catch (Throwable e) {
            releaseAllExceptFailed(tasks);
            throw e;
        }
    }

    /**
     * Releases all tasks that this round still holds, so that they need not wait for the end of their leases. The task
     * that caused the error is not released: its attempt counts.
     */
    private void releaseAllExceptFailed(List<ClaimedTask> tasks) {
        try {
            release(tasks.stream()
                    .filter(task -> !task.causedError() && !task.isReleased())
                    .toList());
        } catch (Exception e) {
            log.debug(
                    "{}: cannot release {} tasks; they are due when their leases end",
                    engine(),
                    tasks.size(),
                    FailureReasons.printable(e));
        }
    }

    private int observe(TaskSource source, List<ClaimedTask> tasks) {
        return listener.observe(OperationStarted.Kind.PROCESS_TASKS, tasks.size(), () -> process(source, tasks));
    }

    private int process(TaskSource source, List<ClaimedTask> tasks) {
        long end = System.nanoTime() + QUANTUM_NANOS;
        tasks.stream().filter(task -> !OutageRecovery.mayRepeat(task.outage())).forEach(ClaimedTask::probe);
        List<ClaimedTask> delayed =
                tasks.stream().filter(task -> task.outage().failures() > 0).toList();
        List<ClaimedTask> others =
                tasks.stream().filter(task -> !delayed.contains(task)).toList();
        return process(source, others, end) + process(source, extendIfLate(delayed, end), end);
    }

    /** Does at least a batch of each task; returns how many tasks were finished. */
    private int process(TaskSource source, List<ClaimedTask> held, long end) {
        int finished = 0;
        List<ClaimedTask> tasks = held;
        while (!tasks.isEmpty()) {
            List<ClaimedTask> succeeded = batch(tasks, end);
            finished += finish(succeeded.stream().filter(ClaimedTask::isDone).toList());
            List<ClaimedTask> unfinished =
                    succeeded.stream().filter(task -> !task.isDone()).toList();
            tasks = continueOrRelease(source, unfinished, isOver(end));
        }
        return finished;
    }

    private static boolean isOver(long end) {
        return System.nanoTime() - end >= 0;
    }

    /**
     * Extends the leases of tasks if the quantum has passed. Returns the tasks that are still leased to this worker.
     */
    private List<ClaimedTask> extendIfLate(List<ClaimedTask> waiting, long end) {
        return waiting.isEmpty() || !isOver(end) ? waiting : checkpoint(waiting);
    }

    private String engine() {
        return settings.name();
    }

    /**
     * Does a batch of each task, or of as many tasks as fill a call. If that fails, does the batches one after another,
     * so that only the tasks at fault fail. Returns the tasks that succeeded, in the order of their next turns.
     */
    private List<ClaimedTask> batch(List<ClaimedTask> tasks, long end) {
        if (tasks.size() == 1) {
            return alone(tasks.get(0)).isEmpty() ? withoutPutOff(tasks) : List.of();
        }
        FanoutBatch batch = batches.apply(tasks);
        try {
            batch.run();
        } catch (Throwable together) {
            return oneByOne(tasks, OutageRecovery.isOutage(together), end);
        }
        succeeded(batch);
        List<ClaimedTask> next = new ArrayList<>(batch.putOff());
        next.addAll(withoutPutOff(batch.done()));
        return next;
    }

    private static List<ClaimedTask> withoutPutOff(List<ClaimedTask> tasks) {
        return tasks.stream().filter(task -> !task.isPutOff()).toList();
    }

    /**
     * Does a batch of one task after another. If the store is down, each try may wait for a time-out, and many tries
     * may outlast the leases. So when the quantum has passed in an outage, the leases are extended before each try.
     * After some failures in a row, the remaining tasks are released without a try. One failure is not enough: if only
     * a part of the store is down, only some of the tasks need that part.
     */
    private List<ClaimedTask> oneByOne(List<ClaimedTask> tasks, boolean outage, long end) {
        List<ClaimedTask> succeeded = new ArrayList<>();
        Deque<ClaimedTask> left = new ArrayDeque<>(tasks);
        boolean down = outage;
        int failuresInARow = 0;
        while (!left.isEmpty()) {
            boolean slow = down && isOver(end);
            if (slow && failuresInARow >= ENOUGH_FAILURES) {
                release(left);
                break;
            }
            left = slow ? new ArrayDeque<>(checkpoint(left)) : left;
            ClaimedTask task = left.poll();
            if (task == null) {
                break;
            }
            Optional<Throwable> failure = alone(task);
            if (failure.isEmpty()) {
                succeeded.addAll(withoutPutOff(List.of(task)));
            }
            failuresInARow = failure.isEmpty() ? 0 : failuresInARow + 1;
            down |= failure.filter(OutageRecovery::isOutage).isPresent();
        }
        return succeeded;
    }

    /** Does a batch of one task. If it fails, gives the task back, and returns the failure. */
    private Optional<Throwable> alone(ClaimedTask task) {
        try {
            FanoutBatch batch = batches.apply(List.of(task));
            batch.run();
            succeeded(batch);
            return Optional.empty();
        } catch (Throwable e) {
            fail(task, e);
            return Optional.of(e);
        }
    }

    /**
     * Records the failure of a task. If that fails too, the task counts as the cause of the error, and is not released
     * at once like the other tasks.
     */
    private void fail(ClaimedTask task, Throwable failure) {
        task.markCausedError();
        GuardedCallbacks.throwIfFatal(failure);
        failures.fail(task, failure);
        task.clearError();
    }

    /** Records the success of a batch. Tasks that have skipped readers do not show that the outage is over. */
    private void succeeded(FanoutBatch batch) {
        boolean whole = batch.done().stream().anyMatch(task -> !task.isBehind() && !task.isPutOff());
        if (batch.calledInbox() && whole) {
            recovery.reached();
        }
        List<ClaimedTask> putOff =
                batch.done().stream().filter(ClaimedTask::isPutOff).toList();
        if (!putOff.isEmpty()) {
            failures.putOff(putOff);
        }
    }

    /**
     * After the first success since an outage, makes tasks due that wait for the inboxes: their delays may be longer
     * than the outage. Called after the round, so that it takes no time of the round's leases.
     */
    private void hastenIfRecovered() {
        if (!recovery.isRecovery(settings.now())) {
            return;
        }
        try {
            int calls = 0;
            while (fanoutLog.hasten(HASTENED_AT_ONCE) == HASTENED_AT_ONCE && calls < MOST_HASTENING_CALLS) {
                calls++;
            }
        } catch (Exception e) {
            log.debug(
                    "{}: cannot make postponed tasks due; they wait for their retry delays",
                    engine(),
                    FailureReasons.printable(e));
        }
    }

    /** Releases tasks without a delay, with their present cursors. */
    private void release(Collection<ClaimedTask> tasks) {
        if (!tasks.isEmpty()) {
            fanoutLog.release(tasks.stream()
                    .map(task -> new Release(task.claim(), task.cursor(), 0))
                    .toList());
        }
    }

    /**
     * Records the cursors of tasks and extends their leases. Returns the tasks that are still leased to this worker.
     */
    private List<ClaimedTask> checkpoint(Collection<ClaimedTask> tasks) {
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

    private int finish(List<ClaimedTask> done) {
        List<ClaimedTask> finished = endings.conclude(done, this::fail);
        if (!finished.isEmpty()) {
            fanoutLog.finish(
                    finished.stream().map(ClaimedTask::claim).toList(),
                    fanout.replayHorizon().toMillis());
        }
        reportFinished(finished);
        return finished.size();
    }

    /** Keeps the tasks that may continue at once, and releases the others. */
    private List<ClaimedTask> continueOrRelease(TaskSource source, List<ClaimedTask> unfinished, boolean quantumOver) {
        List<Release> paced = new ArrayList<>();
        List<ClaimedTask> continuing = new ArrayList<>();
        for (ClaimedTask task : unfinished) {
            if (task.steps().isPaced()) {
                long delay = 1000L * task.handled() / fanout.activePushRate();
                paced.add(new Release(task.claim(), task.cursor(), delay));
            } else if (!splitter.split(task)) {
                continuing.add(task);
            }
        }
        if (!paced.isEmpty()) {
            fanoutLog.release(paced);
        }
        if (!quantumOver) {
            return checkpoint(continuing);
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

    private void reportFinished(List<ClaimedTask> finished) {
        for (ClaimedTask task : finished) {
            Duration age =
                    Duration.ofMillis(Math.max(0, settings.now() - task.task().created()));
            listener.notify(listener -> {
                TaskFinished.Builder event = TaskFinished.builder(
                                task.steps().publicKind(), task.task().author())
                        .age(age);
                TaskSteps.postOf(task.task()).ifPresent(event::post);
                listener.taskFinished(event.build());
            });
        }
    }
}
