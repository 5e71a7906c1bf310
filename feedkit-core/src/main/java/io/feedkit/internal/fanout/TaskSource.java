package io.feedkit.internal.fanout;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.Progress;
import io.feedkit.spi.FanoutLog.Release;
import java.util.List;

/** Where workers get their tasks from, and where they leave those that are to go on later. Thread-safe. */
public interface TaskSource {

    /**
     * Begins to receive tasks, if this source receives any.
     *
     * @param arrived called when tasks have arrived
     */
    default void start(Runnable arrived) {}

    /** Leaves tasks that no worker holds now to other engines. May be called again, and be followed by a start. */
    default void stop() {}

    /** Leases up to {@code max} tasks. */
    List<Claim> claim(int max, long leaseMillis);

    /**
     * Takes back tasks that are unfinished when a worker's turn is over. Records their cursors. They go on when all
     * others have had their turn.
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
