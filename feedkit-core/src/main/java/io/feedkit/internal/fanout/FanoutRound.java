package io.feedkit.internal.fanout;

import io.feedkit.event.OperationStarted;
import io.feedkit.internal.fanout.batch.ClaimedTask;
import io.feedkit.internal.fanout.batch.FanoutBatch;
import io.feedkit.internal.fanout.batch.FanoutBatches;
import io.feedkit.internal.host.GuardedCallbacks;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.spi.FanoutLog.Claim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Processes due tasks of the fan-out log. A round claims some tasks and does a batch of each. It continues with
 * unfinished tasks until a quantum of time has passed. Then it gives them back, and they take turns with all other
 * tasks. So small tasks are processed together, and no huge task occupies a worker. Tasks that could not reach a store
 * are processed separately, after the others. A worker keeps no state between rounds: any worker may continue a task.
 * Thread-safe: the state of a round belongs to the thread that runs it.
 */
public final class FanoutRound {

    private static final int FEWEST_CLAIMS = 64;
    private static final int MOST_CLAIMS = 128;
    private static final long QUANTUM_NANOS = 25_000_000;

    /**
     * How many tasks must fail in a row, each on its own, before a slow store counts as down for the remaining tasks,
     * too.
     */
    private static final int ENOUGH_FAILURES = 3;

    private final FanoutBatches batches;
    private final TaskLeases leases;
    private final TaskFailures failures;
    private final TaskEndings endings;
    private final RoundUpkeep upkeep;
    private final GuardedListener listener;
    private volatile int claims = FEWEST_CLAIMS;

    public FanoutRound(
            FanoutBatches batches,
            TaskLeases leases,
            TaskFailures failures,
            TaskEndings endings,
            RoundUpkeep upkeep,
            GuardedListener listener) {
        this.batches = batches;
        this.leases = leases;
        this.failures = failures;
        this.endings = endings;
        this.upkeep = upkeep;
        this.listener = listener;
    }

    /** The result of a round: how many tasks it claimed, and how many of them it finished. */
    public record Round(int claimed, int finished) {}

    /** Runs one round with tasks of the source. */
    public Round run(TaskSource source) {
        upkeep.lookIfDue();
        int most = claims;
        long begin = System.nanoTime();
        Round round = run(source, leases.claim(source, most));
        claims = claimsAfter(most, round, isOver(begin + QUANTUM_NANOS));
        failures.hastenIfRecovered();
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
            ClaimedTask task = new ClaimedTask(claim);
            if (failures.isAbandoned(task)) {
                failures.abandoned(task);
            } else {
                tasks.add(task);
            }
        }
        try {
            return new Round(claimed.size(), tasks.isEmpty() ? 0 : observe(source, tasks));
        } catch (Throwable e) {
            leases.releaseAllExceptFailed(tasks);
            throw e;
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
        return process(source, others, end) + process(source, isOver(end) ? leases.extend(delayed) : delayed, end);
    }

    /** Does at least a batch of each task; returns how many tasks were finished. */
    private int process(TaskSource source, List<ClaimedTask> held, long end) {
        int finished = 0;
        List<ClaimedTask> tasks = held;
        while (!tasks.isEmpty()) {
            List<ClaimedTask> succeeded = batch(tasks, end);
            finished += endings.finish(
                    succeeded.stream().filter(ClaimedTask::isDone).toList(), this::fail);
            List<ClaimedTask> unfinished =
                    succeeded.stream().filter(task -> !task.isDone()).toList();
            tasks = leases.continueOrRelease(source, unfinished, isOver(end));
        }
        return finished;
    }

    private static boolean isOver(long end) {
        return System.nanoTime() - end >= 0;
    }

    /**
     * Does a batch of each task, or of as many tasks as fill a call. If that fails, does the batches one after another,
     * so that only the tasks at fault fail. Returns the tasks that succeeded, in the order of their next turns.
     */
    private List<ClaimedTask> batch(List<ClaimedTask> tasks, long end) {
        if (tasks.size() == 1) {
            return alone(tasks.get(0)).isEmpty() ? withoutPutOff(tasks) : List.of();
        }
        FanoutBatch batch;
        try {
            batch = batches.run(tasks);
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
                leases.release(left);
                break;
            }
            left = slow ? new ArrayDeque<>(leases.extend(left)) : left;
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
            succeeded(batches.run(List.of(task)));
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
            failures.reached();
        }
        List<ClaimedTask> putOff =
                batch.done().stream().filter(ClaimedTask::isPutOff).toList();
        if (!putOff.isEmpty()) {
            failures.putOff(putOff);
        }
    }
}
