package io.feedkit.internal.fanout;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import java.util.List;

/** The source of the workers' tasks. It also takes back unfinished tasks. Thread-safe. */
public interface TaskSource {

    /**
     * Starts to receive tasks, if this source receives any.
     *
     * @param arrived called when tasks have arrived
     */
    default void start(Runnable arrived) {}

    /**
     * Releases the tasks that no worker holds now, for other engines. May be called again, and {@link #start} may
     * follow.
     */
    default void stop() {}

    /** Leases up to {@code max} tasks. */
    List<Claim> claim(int max, long leaseMillis);

    /**
     * Takes back tasks that are unfinished when a worker's turn is over. Records their cursors. They continue when all
     * other tasks have had their turn.
     */
    void putBack(List<Progress> unfinished);

    /** The log itself: tasks that are put back may be claimed by any worker. */
    static TaskSource of(FanoutLog log) {
        return new TaskSource() {
            @Override
            public List<Claim> claim(int max, long leaseMillis) {
                return log.claim(max, leaseMillis);
            }

            @Override
            public void putBack(List<Progress> unfinished) {
                log.release(unfinished.stream()
                        .map(task -> new Release(task.claim(), task.after(), 0))
                        .toList());
            }
        };
    }
}
