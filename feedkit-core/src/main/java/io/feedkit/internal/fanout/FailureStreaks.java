package io.feedkit.internal.fanout;

import io.feedkit.FeedKitException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How often in a row tasks met a store that could not be reached, as far as this engine saw it. The log does not count
 * that, since it says nothing about the task; the engine does, to leave a task alone for longer every time.
 * Thread-safe.
 */
final class FailureStreaks {

    /**
     * The most tasks remembered. With more of them all are forgotten, and tried again as soon as after a first failure.
     */
    static final int MOST_TASKS = 100_000;

    /**
     * Failures without a success in between.
     *
     * @param failures how many
     * @param since when the first was
     */
    record Streak(int failures, long since) {

        private Streak longer() {
            return new Streak(failures + 1, since);
        }
    }

    /**
     * After a success that follows failures for so long, waiting tasks are hastened; not again for as long, and twice
     * as long if some wait still.
     */
    private static final long FIRST_PAUSE_MILLIS = 1000;

    private static final long LONGEST_PAUSE_MILLIS = 300_000;

    private final Map<String, Streak> streaks = new ConcurrentHashMap<>();
    private final AtomicBoolean failed = new AtomicBoolean();
    private long pause = FIRST_PAUSE_MILLIS;
    private volatile boolean reached;
    private volatile long began;
    private long hastened = Long.MIN_VALUE;

    /** Whether a failure is the store's, and may be over a little later, rather than the task's. */
    static boolean isOutage(Throwable failure) {
        return failure instanceof FeedKitException typed && typed.isRetryable();
    }

    /** Counts one more; says how many there were in a row, and since when. */
    Streak count(ClaimedTask task, long now) {
        if (streaks.size() >= MOST_TASKS && !remember(task)) {
            streaks.clear();
        }
        if (streaks.isEmpty()) {
            began = now;
        }
        Streak streak = streaks.merge(task.task().id(), new Streak(1, now), (before, one) -> before.longer());
        failed.set(true);
        reached = false;
        return streak;
    }

    /** Whether the task met a store that could not be reached when it was tried last. */
    boolean remember(ClaimedTask task) {
        return streaks.containsKey(task.task().id());
    }

    /** How many tasks are remembered. */
    int size() {
        return streaks.size();
    }

    /** Forgets tasks that are not tried any more. */
    void over(List<ClaimedTask> tasks) {
        if (!streaks.isEmpty()) {
            tasks.forEach(task -> streaks.remove(task.task().id()));
        }
    }

    /** Forgets tasks that have reached the store. */
    void reached(List<ClaimedTask> tasks) {
        over(tasks);
        reached = true;
    }

    /**
     * Whether the store was reached after a failure, and by the latest that tried, so that what waits for it should be
     * tried now. Where only a part of a store is down, others succeed all the time, so the pauses in which that is said
     * grow as the tasks' own do.
     */
    boolean isRecovery(long now) {
        return reached && failed.get() && !streaks.isEmpty() && mayHasten(now) && failed.compareAndSet(true, false);
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
