package io.feedkit.internal.fanout;

import io.feedkit.FeedKitException;
import io.feedkit.internal.cache.BoundedCache;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How often in a row tasks met a store that could not be reached, as far as this engine saw it. The log does not count
 * such failures, because they are not the task's fault. The engine counts them, to pause a task longer each time.
 * Thread-safe.
 */
final class FailureStreaks {

    /** The most tasks remembered. Those that are forgotten are tried again as soon as after a first failure. */
    static final int MOST_TASKS = 100_000;

    /**
     * Failures without a success in between.
     *
     * @param failures the number of failures
     * @param since when the first failure was
     */
    record Streak(int failures, long since) {

        private Streak longer() {
            return new Streak(failures + 1, since);
        }
    }

    /**
     * If a success comes at least this long after the first failure, waiting tasks are hastened. The next time, they
     * are hastened at the earliest after this pause, and after twice the pause if tasks still wait.
     */
    private static final long FIRST_PAUSE_MILLIS = 1000;

    private static final long LONGEST_PAUSE_MILLIS = 300_000;

    private final BoundedCache<String, Streak> streaks = new BoundedCache<>(MOST_TASKS);
    private final AtomicBoolean failed = new AtomicBoolean();
    private long pause = FIRST_PAUSE_MILLIS;
    private volatile boolean reached;
    private volatile long began;
    private long hastened = Long.MIN_VALUE;

    /** Whether a failure is an outage of the store that may end soon, and not the task's fault. */
    static boolean isOutage(Throwable failure) {
        return failure instanceof FeedKitException typed && typed.isRetryable();
    }

    /** Counts a failure; returns how many there were in a row, and since when. */
    Streak count(ClaimedTask task, long now) {
        if (streaks.size() == 0) {
            began = now;
        }
        Streak before = streaks.get(task.task().id());
        Streak streak = before == null ? new Streak(1, now) : before.longer();
        streaks.put(task.task().id(), streak);
        failed.set(true);
        reached = false;
        return streak;
    }

    /** Whether the last try of the task met a store that could not be reached. */
    boolean remember(ClaimedTask task) {
        return streaks.get(task.task().id()) != null;
    }

    /** How many tasks are remembered. */
    int size() {
        return streaks.size();
    }

    /** Forgets tasks that are not tried any more. */
    void over(List<ClaimedTask> tasks) {
        if (streaks.size() > 0) {
            tasks.forEach(task -> streaks.remove(task.task().id()));
        }
    }

    /** Forgets tasks that have reached the store. */
    void reached(List<ClaimedTask> tasks) {
        over(tasks);
        reached = true;
    }

    /**
     * Whether the store was reached after a failure, and by the latest task that tried, so that waiting tasks should be
     * tried now. If only a part of a store is down, other tasks succeed all the time. Therefore the pauses between two
     * such answers grow like the pauses of the tasks.
     */
    boolean isRecovery(long now) {
        return reached && failed.get() && streaks.size() > 0 && mayHasten(now) && failed.compareAndSet(true, false);
    }

    private synchronized boolean mayHasten(long now) {
        boolean hastenedLately = hastened != Long.MIN_VALUE && isWithin(hastened, now, pause);
        if (hastenedLately || isWithin(began, now, FIRST_PAUSE_MILLIS)) {
            return false;
        }
        boolean quiet = hastened == Long.MIN_VALUE || !isWithin(hastened, now, 2 * pause);
        pause = quiet ? FIRST_PAUSE_MILLIS : Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        hastened = now;
        return true;
    }

    private static boolean isWithin(long time, long now, long millis) {
        return time <= now && now - time < millis;
    }
}
