package io.feedkit.memory;

import io.feedkit.spi.FanoutLog.Task;

/**
 * A task and its state in the log. Guarded by the log's lock; in a sorted collection only while its keys stay the same.
 */
final class LoggedTask {

    /** Replaced by an updated copy whenever something of it changes, but for its id and creation. */
    Task task;

    /** When it began to wait, or finished. */
    long since;

    /** Orders tasks that began to wait at the same time. */
    long turn;

    /** Until when it may not be claimed, is leased, or is remembered. */
    long until;

    /** The lease's token, or 0. */
    long lease;

    /** Whether its post showed already when it began to wait: it was finished or dead before, or is a catch-up. */
    boolean shown;

    LoggedTask(Task task, boolean shown) {
        this.task = task;
        this.shown = shown;
    }

    void update(String after, int attempts) {
        task = new Task(
                task.id(),
                task.kind(),
                task.oldest(),
                task.newest(),
                task.version(),
                task.range(),
                after,
                attempts,
                task.created());
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
