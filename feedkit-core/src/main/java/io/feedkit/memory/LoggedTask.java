package io.feedkit.memory;

import io.feedkit.spi.FanoutLog.Outage;
import io.feedkit.spi.FanoutLog.Task;

/**
 * A task and its state in the log. Guarded by the log's lock. While the task is in a sorted collection, its sort keys
 * must not change.
 */
final class LoggedTask {

    /** The task; replaced by a copy when any of its fields changes. Its id and creation time never change. */
    Task task;

    /** When the task began to wait, or finished. */
    long since;

    /** Orders tasks that began to wait at the same time. */
    long turn;

    /** The time until which the task is held back, leased, lent, or kept after it has finished. */
    long until;

    /** The token of the task's lease or loan, or 0. */
    long token;

    /** Whether the token is that of a loan. */
    boolean lent;

    /** Whether the task waits because a loan has run out. */
    boolean lapsed;

    /**
     * Whether the post was already visible when the task began to wait: the task was finished or dead before, or is a
     * catch-up. A task about imported posts is treated like a catch-up.
     */
    boolean shown;

    LoggedTask(Task task, boolean shown) {
        this.task = task;
        this.shown = shown;
    }

    void update(String after, int attempts, Outage outage) {
        task = task.with(after, attempts, outage);
    }

    /**
     * Records the cursor. Resets the failures; also ends the outage, if there was progress and no reader is skipped.
     */
    void recordProgress(String after) {
        boolean outageContinues = after.equals(task.after()) || after.indexOf(' ') >= 0;
        task = task.with(after, 0, outageContinues ? task.outage() : Outage.NONE);
    }

    /** Records the cursor. Resets the failures and the outage. */
    void wake(String after) {
        task = task.at(after);
    }

    static int byCreation(LoggedTask a, LoggedTask b) {
        int byTime = Long.compare(a.task.created(), b.task.created());
        return byTime != 0 ? byTime : a.task.id().compareTo(b.task.id());
    }

    static int byTurn(LoggedTask a, LoggedTask b) {
        int byTime = Long.compare(a.since, b.since);
        return byTime != 0 ? byTime : Long.compare(a.turn, b.turn);
    }

    static int byTime(LoggedTask a, LoggedTask b) {
        int byTime = Long.compare(a.until, b.until);
        return byTime != 0 ? byTime : a.task.id().compareTo(b.task.id());
    }
}
