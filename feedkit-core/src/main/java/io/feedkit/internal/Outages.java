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

    private final Map<String, Integer> inARow = new ConcurrentHashMap<>();

    /** Whether a failure is the store's, and may be over a little later, rather than the task's. */
    static boolean isOutage(RuntimeException failure) {
        return failure instanceof FeedKitException typed && typed.isRetryable();
    }

    /** Counts one more; says how many there were in a row. */
    int count(HeldTask task) {
        if (inARow.size() >= MOST_TASKS) {
            inARow.clear();
        }
        return inARow.merge(task.task().id(), 1, Integer::sum);
    }

    /** Forgets tasks that have reached the store. */
    void over(List<HeldTask> tasks) {
        if (!inARow.isEmpty()) {
            tasks.forEach(task -> inARow.remove(task.task().id()));
        }
    }
}
