package io.feedkit.internal.fanout;

import io.feedkit.event.TaskFailed;
import io.feedkit.internal.cache.RegisterCache;
import io.feedkit.internal.fanout.FailureStreaks.Streak;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.EngineSettings.Fanout;
import io.feedkit.internal.host.FailureReasons;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Failure;
import io.feedkit.spi.FanoutLog.Release;
import io.feedkit.spi.FanoutLog.Task;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles failed tasks: they are tried again with growing delays, or become dead letters.
 *
 * <p>A store that cannot be reached is not the task's fault, and may be back at any time. So the task waits for the
 * store, and nobody has to replay it. The post must not wait that long if only one of many inbox stores is down: its
 * author is pulled earlier. A task that has waited in vain for a day distorts the backlog's age, and becomes a dead
 * letter too. Thread-safe.
 */
final class TaskFailures {

    private static final Logger log = LoggerFactory.getLogger(FanoutRound.class);

    private static final long MAX_RETRY_MILLIS = Duration.ofMinutes(5).toMillis();

    /** How long a store may be out of reach before a waiting task becomes a dead letter. */
    private static final long LONGEST_OUTAGE_MILLIS = Duration.ofDays(1).toMillis();

    private final EngineSettings settings;
    private final RegisterCache registerCache;
    private final GuardedListener listener;
    private final FanoutLog fanoutLog;
    private final Fanout fanout;
    private final FailureStreaks outages;
    private final WarningLimiter warnings;

    TaskFailures(
            EngineSettings settings,
            FanoutLog fanoutLog,
            RegisterCache registerCache,
            GuardedListener listener,
            FailureStreaks outages) {
        this.settings = settings;
        this.registerCache = registerCache;
        this.listener = listener;
        this.fanoutLog = fanoutLog;
        this.fanout = settings.fanout();
        this.outages = outages;
        this.warnings = new WarningLimiter(settings.clock());
    }

    /** Makes a task a dead letter that was claimed and abandoned too often. */
    void abandoned(ClaimedTask task) {
        int attempts = task.task().attempts();
        giveUpIfPossible(task, attempts, "abandoned " + attempts + " times by workers that stopped");
    }

    /** Gives a task back after a failed batch, or makes it a dead letter. */
    void fail(ClaimedTask task, Throwable cause) {
        log.debug("{}: {} of {} failed", engine(), task.kind(), task.task().author(), cause);
        if (FailureStreaks.isOutage(cause)) {
            postpone(task, cause);
            return;
        }
        int attempts = task.attempts() + 1;
        if (attempts >= fanout.maxAttempts()) {
            giveUpIfPossible(task, attempts, FailureReasons.of(cause));
            return;
        }
        long delay = delay(fanout.retryDelay().toMillis(), attempts);
        fanoutLog.fail(List.of(new Failure(task.claim(), FailureReasons.of(cause), delay)));
        tellFailed(task.task(), attempts, false, FailureReasons.of(cause));
    }

    /**
     * Gives back a task that met a store which could not be reached, without counting an attempt. The delay is never
     * zero; otherwise a drain would spin during an outage.
     */
    private void postpone(ClaimedTask task, Throwable cause) {
        long now = settings.now();
        Streak streak = outages.count(task, now);
        boolean tooLong = now - streak.since() >= LONGEST_OUTAGE_MILLIS;
        if (tooLong && giveUpIfPossible(task, streak.failures(), FailureReasons.of(cause))) {
            return;
        }
        if (task.steps().showsInInboxesOnly() && streak.failures() % fanout.maxAttempts() == 0) {
            pullMeanwhile(task);
        }
        long delay = delay(Math.max(1, fanout.retryDelay().toMillis()), streak.failures());
        fanoutLog.release(List.of(new Release(task.claim(), task.after(), delay)));
        tellFailed(task.task(), streak.failures(), false, FailureReasons.of(cause));
    }

    /** Makes the post of a waiting push visible to all readers whose inboxes it has not reached. */
    private void pullMeanwhile(ClaimedTask task) {
        try {
            registerCache.put(List.of(task.post()));
        } catch (Exception e) {
            log.debug("{}: {} cannot be pulled yet", engine(), task.task().author(), e);
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
                    "{}: {} of {} cannot be given up yet",
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
            registerCache.put(List.of(task.post()));
        }
        if (fanoutLog.moveToDeadLetters(held.claim(), Math.min(attempts, Short.MAX_VALUE), reason)) {
            outages.over(List.of(held));
            log.atLevel(warnings.level())
                    .log(
                            "{}: {} of {} is a dead letter: {} (those of the next minutes are logged at DEBUG)",
                            engine(),
                            task.kind(),
                            task.author(),
                            reason);
            tellFailed(task, attempts, true, reason);
        }
    }

    private String engine() {
        return settings.name();
    }

    private void tellFailed(Task task, int attempts, boolean dead, String reason) {
        listener.tell(listener ->
                listener.taskFailed(new TaskFailed(task.kind().name(), task.author(), attempts, dead, reason)));
    }
}
