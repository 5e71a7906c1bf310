package io.feedkit.internal.relay;

import io.feedkit.spi.FanoutLog.LentTask;
import java.util.List;

/**
 * How many tasks may be lent at a time. If loans run out, the queue holds more than the workers take in time. Then the
 * window is halved, at most once in the time of a loan. It grows again, up to its full size, by the number of tasks
 * that are lent without such a loss. Used by one thread.
 */
final class LendingWindow {

    private static final int SMALLEST = 64;

    private final int full;
    private final long loanMillis;
    private int size;
    private long halvedAt = Long.MIN_VALUE;

    LendingWindow(int full, long loanMillis) {
        this.full = full;
        this.loanMillis = loanMillis;
        this.size = full;
    }

    int size() {
        return size;
    }

    void lent(List<LentTask> lent, long now) {
        if (lent.stream().noneMatch(LentTask::lapsed)) {
            size = Math.min(full, size + lent.size());
        } else if (halvedAt == Long.MIN_VALUE || now - halvedAt >= loanMillis || now < halvedAt) {
            halvedAt = now;
            size = Math.max(Math.min(full, SMALLEST), size / 2);
        }
    }
}
