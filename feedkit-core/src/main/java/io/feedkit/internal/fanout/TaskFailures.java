package io.feedkit.internal.fanout;

import io.feedkit.StoreUnavailableException;
import io.feedkit.event.TaskFailed;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.fanout.batch.ClaimedTask;
import io.feedkit.internal.fanout.batch.TaskSteps;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.EngineSettings.Tasks;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Outage;
import io.feedkit.spi.FanoutLog.Postponement;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles failed tasks: they are tried again with growing delays, or become dead letters.
 *
 * <p>A store that cannot be reached is not the task's fault, and may be back at any time. So the task waits for the
 * store, and no operator has to replay it. If only one of many inbox stores is down, the post must not wait that long:
 * its author is pulled earlier. A task that has waited for a day distorts the backlog's age, and becomes a dead letter
 * too. Thread-safe.
 */
public final class TaskFailures {

    private static final Logger log = LoggerFactory.getLogger(FanoutRound.class);

    private static final long MAX_RETRY_MILLIS = Duration.ofMinutes(5).toMillis();

    /** How long a store may be out of reach before a waiting task becomes a dead letter. */
    private static final long LONGEST_OUTAGE_MILLIS = Duration.ofDays(1).toMillis();

    private static final int HASTENED_AT_ONCE = 1000;
    private static final int MOST_HASTENING_CALLS = 100;

    private final EngineSettings settings;
    private final RegisterCache registerCache;
    private final GuardedListener listener;
    private final FanoutLog fanoutLog;
    private final Tasks limits;
    private final OutageRecovery recovery = new OutageRecovery();
    private final WarningLimiter warnings;

    public TaskFailures(
            EngineSettings settings, RegisterCache registerCache, FanoutLog fanoutLog, GuardedListener listener) {
        this.settings = settings;
        this.registerCache = registerCache;
        this.listener = listener;
        this.fanoutLog = fanoutLog;
        this.limits = settings.fanout().tasks();
        this.warnings = new WarningLimiter(settings.clock());
    }

    /** Whether workers claimed and abandoned a task too often. */
    boolean isAbandoned(ClaimedTask task) {
        return task.task().attempts() >= limits.maxAttempts();
    }

    /** Makes an abandoned task a dead letter. */
    void abandoned(ClaimedTask task) {
        int attempts = task.task().attempts();
        giveUpIfPossible(task, attempts, "abandoned " + attempts + " times by workers that stopped");
    }

    /** Gives a task back after a failed batch, or makes it a dead letter. */
    void fail(ClaimedTask task, Throwable cause) {
        log.debug("{}: {} of {} failed", engine(), task.kind(), task.task().author(), FailureReasons.printable(cause));
        if (OutageRecovery.isOutage(cause)) {
            postpone(List.of(task), cause);
            return;
        }
        int attempts = task.attempts() + 1;
        if (attempts >= limits.maxAttempts()) {
            giveUpIfPossible(task, attempts, FailureReasons.of(cause));
            return;
        }
        long delay = delay(limits.retryDelay().toMillis(), attempts);
        fanoutLog.fail(List.of(new Failure(task.claim(), FailureReasons.of(cause), delay)));
        reportFailed(task.task(), attempts, false, FailureReasons.of(cause));
    }

    /** Gives back tasks that have tried all followers but did not reach some of them. Records their cursors first. */
    void putOff(List<ClaimedTask> tasks) {
        fanoutLog.checkpoint(
                tasks.stream()
                        .map(task -> new Progress(task.claim(), task.cursor()))
                        .toList(),
                limits.lease().toMillis());
        Throwable cause = new IllegalStateException("the inboxes of some readers cannot be reached");
        postpone(tasks, new StoreUnavailableException("inbox.deliver", cause));
    }

    /**
     * Gives back tasks that could not reach a store, without counting an attempt. The delay is never zero; otherwise a
     * drain would spin during an outage.
     */
    private void postpone(List<ClaimedTask> tasks, Throwable cause) {
        long now = settings.now();
        recovery.failed(now);
        String reason = FailureReasons.of(cause);
        Map<Task, Integer> postponed = new LinkedHashMap<>();
        List<Postponement> postponements = new ArrayList<>();
        for (ClaimedTask task : tasks) {
            Outage outage = task.outage().longerAt(now);
            boolean tooLong = now - outage.since() >= LONGEST_OUTAGE_MILLIS;
            if (tooLong && giveUpIfPossible(task, outage.failures(), reason)) {
                continue;
            }
            if (task.steps().showsInInboxesOnly() && outage.failures() % limits.maxAttempts() == 0) {
                pullMeanwhile(task);
            }
            long delay = delay(Math.max(1, limits.retryDelay().toMillis()), outage.failures());
            postponements.add(new Postponement(task.claim(), delay));
            postponed.put(task.task(), outage.failures());
        }
        if (!postponements.isEmpty()) {
            fanoutLog.postpone(postponements);
        }
        postponed.forEach((task, failures) -> reportFailed(task, failures, false, reason));
    }

    /**
     * Makes the posts of a waiting push visible to all readers whose inboxes they have not reached: enters them in the
     * register.
     */
    private void pullMeanwhile(ClaimedTask task) {
        try {
            registerCache.put(TaskSteps.ends(task.task()));
        } catch (Exception e) {
            log.debug(
                    "{}: cannot enter {} in the pulled register; trying again after further failures of the task",
                    engine(),
                    task.task().author(),
                    FailureReasons.printable(e));
        }
    }

    private static long delay(long first, int failures) {
        return Math.min(MAX_RETRY_MILLIS, first << Math.min(20, failures - 1));
    }

    /** Makes a task a dead letter. If that fails, returns false, and the task stays leased until its lease ends. */
    private boolean giveUpIfPossible(ClaimedTask task, int attempts, String reason) {
        try {
            giveUp(task, attempts, reason);
            return true;
        } catch (Exception e) {
            log.debug(
                    "{}: cannot move {} of {} to the dead letters; trying again later",
                    engine(),
                    task.kind(),
                    task.task().author(),
                    e);
            return false;
        }
    }

    /** Makes a task a dead letter. Its author is pulled from now on, so the post is not lost. */
    private void giveUp(ClaimedTask held, int attempts, String reason) {
        Task task = held.task();
        if (held.steps().showsPost()) {
            registerCache.put(TaskSteps.ends(task));
        }
        if (fanoutLog.moveToDeadLetters(held.claim(), Math.min(attempts, Short.MAX_VALUE), reason)) {
            log.atLevel(warnings.level())
                    .log(
                            "{}: {} of {} became a dead letter: {} (fix the cause, then replay it; dead letters of the "
                                    + "next minutes are logged at DEBUG)",
                            engine(),
                            task.kind(),
                            task.author(),
                            reason);
            reportFailed(task, attempts, true, reason);
        }
    }

    /** Records that a batch reached the inboxes. */
    void reached() {
        recovery.reached();
    }

    /**
     * After the first success since an outage, makes tasks due that wait for the inboxes: their delays may be longer
     * than the outage. Called after the round, so that it takes no time of the round's leases.
     */
    void hastenIfRecovered() {
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

    private String engine() {
        return settings.name();
    }

    private void reportFailed(Task task, int attempts, boolean dead, String reason) {
        TaskFailed.Builder event = TaskFailed.builder(TaskSteps.of(task.kind()).publicKind(), task.author())
                .attempts(attempts)
                .dead(dead)
                .reason(reason);
        TaskSteps.postOf(task).ifPresent(event::post);
        listener.notify(listener -> listener.taskFailed(event.build()));
    }
}
