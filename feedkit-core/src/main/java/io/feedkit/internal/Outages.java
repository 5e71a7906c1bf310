package io.feedkit.internal;

import io.feedkit.FeedKitException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How often in a row tasks met a store that could not be reached, as far as this engine saw it. The log does not count that, since it says nothing about the
 * task; the engine does, to leave a task alone for longer every time. Thread-safe.
 */
final class Outages {

    /** The most tasks remembered. With more of them all are forgotten, and tried again as soon as after a first failure. */
    private static final int MOST_TASKS = 100_000;

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

    private final Map<String, Streak> streaks = new ConcurrentHashMap<>();

    /** Whether a failure is the store's, and may be over a little later, rather than the task's. */
    static boolean isOutage(Throwable failure) {
        return failure instanceof FeedKitException typed && typed.isRetryable();
    }

    /** Counts one more; says how many there were in a row, and since when. */
    Streak count(HeldTask task, long now) {
        if (streaks.size() >= MOST_TASKS) {
            streaks.clear();
        }
        return streaks.merge(task.task().id(), new Streak(1, now), (streak, one) -> streak.longer());
    }

    /** Whether the task met a store that could not be reached when it was tried last. */
    boolean remember(HeldTask task) {
        return streaks.containsKey(task.task().id());
    }

    /** Forgets tasks that have reached the store, or are not tried any more. */
    void over(List<HeldTask> tasks) {
        if (!streaks.isEmpty()) {
            tasks.forEach(task -> streaks.remove(task.task().id()));
        }
    }
}
