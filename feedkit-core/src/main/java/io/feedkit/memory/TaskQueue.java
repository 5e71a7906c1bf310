package io.feedkit.memory;

import io.feedkit.spi.FanoutLog.Claim;
import io.feedkit.spi.FanoutLog.FoundTask;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.FanoutLog.TaskState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The unfinished tasks of the log: waiting, held back, leased or lent. Guarded by the log's lock; every step is
 * logarithmic.
 */
final class TaskQueue {

    private static final Set<Kind> SLOW_ON_PURPOSE = EnumSet.of(Kind.RETRACT, Kind.RETRACT_LATER, Kind.PUSH_ACTIVE);

    private static final Set<Kind> HELD_BACK_ON_PURPOSE = EnumSet.of(Kind.PUSH_ACTIVE, Kind.RETRACT_LATER);

    private record CatchUp(String author, long version) {}

    private final Map<String, LoggedTask> unfinished = new HashMap<>();
    private final TreeSet<LoggedTask> invisible = new TreeSet<>(LoggedTask::byCreation);
    private final TreeSet<LoggedTask> shown = new TreeSet<>(LoggedTask::byCreation);
    private final PriorityQueue<LoggedTask> waiting = new PriorityQueue<>(LoggedTask::byTurn);
    private final PriorityQueue<LoggedTask> heldBack = new PriorityQueue<>(LoggedTask::byTime);
    private final TreeSet<LoggedTask> tokens = new TreeSet<>(LoggedTask::byTime);
    private final Map<CatchUp, Integer> catchUps = new HashMap<>();
    private final Map<Kind, Long> kinds = new EnumMap<>(Kind.class);
    private long turns;
    private long tokensGiven;
    private int lent;

    int size() {
        return unfinished.size();
    }

    /** How many tasks cannot be claimed yet. */
    int deferred(long now) {
        wakeDue(now);
        return heldBack.size();
    }

    /** The time of recording of the oldest task that is not slow on purpose. */
    long oldestCreated(long ifNone) {
        return Math.min(oldest(invisible, ifNone), oldest(shown, ifNone));
    }

    /** The time of recording of the oldest such task whose post is not visible yet. */
    long invisibleSince(long ifNone) {
        return oldest(invisible, ifNone);
    }

    private static long oldest(SortedSet<LoggedTask> tasks, long ifNone) {
        return tasks.isEmpty() ? ifNone : tasks.first().task.created();
    }

    /** How many tasks there are of each kind. */
    Map<Kind, Long> byKind() {
        return Map.copyOf(kinds);
    }

    /** All tasks, in no order. */
    List<Task> tasks() {
        List<Task> tasks = new ArrayList<>(unfinished.size());
        unfinished.values().forEach(logged -> tasks.add(logged.task));
        return tasks;
    }

    /** How many tasks are lent. */
    int lent() {
        return lent;
    }

    /** The unfinished tasks of an author. */
    List<FoundTask> find(String author, long now) {
        wakeDue(now);
        return unfinished.values().stream()
                .filter(logged -> logged.task.author().equals(author))
                .map(this::found)
                .toList();
    }

    private FoundTask found(LoggedTask logged) {
        if (logged.token == 0) {
            long due = heldBack.contains(logged) ? logged.until : logged.since;
            return new FoundTask(logged.task, TaskState.WAITING, due, "");
        }
        return new FoundTask(logged.task, logged.lent ? TaskState.LENT : TaskState.LEASED, logged.until, "");
    }

    boolean hasCatchUp(String author, long version) {
        return catchUps.containsKey(new CatchUp(author, version));
    }

    /** Adds a task that is not in the queue, ready to be claimed. */
    void add(LoggedTask logged, long now) {
        add(logged, now, now);
    }

    /** Adds a task that is not in the queue, and holds it back until {@code notBefore}. */
    void add(LoggedTask logged, long now, long notBefore) {
        unfinished.put(logged.task.id(), logged);
        kinds.merge(logged.task.kind(), 1L, Long::sum);
        if (!SLOW_ON_PURPOSE.contains(logged.task.kind())) {
            (logged.shown ? shown : invisible).add(logged);
        }
        if (logged.task.kind() == Kind.CATCH_UP) {
            catchUps.merge(catchUp(logged.task), 1, Integer::sum);
        }
        logged.token = 0;
        letWait(logged, now, notBefore);
    }

    /** Leases or lends the tasks that have waited longest. */
    List<LoggedTask> next(int max, boolean lend, long until, long now) {
        wakeDue(now);
        List<LoggedTask> next = new ArrayList<>();
        while (next.size() < max && !waiting.isEmpty()) {
            LoggedTask logged = waiting.remove();
            give(logged, lend, until);
            next.add(logged);
        }
        return next;
    }

    /** Exchanges the loan of a task for a lease. */
    void lease(LoggedTask logged, long until) {
        end(logged);
        give(logged, false, until);
    }

    private void give(LoggedTask logged, boolean lend, long until) {
        logged.token = ++tokensGiven;
        logged.lent = lend;
        logged.until = until;
        tokens.add(logged);
        lent += lend ? 1 : 0;
    }

    private void wakeDue(long now) {
        while (!heldBack.isEmpty() && heldBack.element().until <= now) {
            LoggedTask due = heldBack.remove();
            due.since = due.until;
            waiting.add(due);
        }
    }

    /** Makes tasks claimable again whose leases and loans have run out, and counts an attempt for each lease. */
    void expire(long now) {
        while (!tokens.isEmpty() && tokens.first().until <= now) {
            LoggedTask logged = tokens.first();
            boolean lapsed = logged.lent;
            end(logged);
            if (!lapsed) {
                logged.update(logged.task.after(), logged.task.attempts() + 1, logged.task.outage());
            }
            letWait(logged, logged.until);
            logged.lapsed = lapsed;
        }
    }

    /** Makes the earliest held-back tasks claimable now, except for tasks that are held back on purpose. */
    int hasten(int most, long now) {
        List<LoggedTask> earliest = heldBack.stream()
                .filter(logged -> !HELD_BACK_ON_PURPOSE.contains(logged.task.kind()))
                .filter(logged -> logged.until > now)
                .sorted(LoggedTask::byTime)
                .limit(most)
                .toList();
        heldBack.removeIf(new HashSet<>(earliest)::contains);
        earliest.forEach(logged -> letWait(logged, now));
        return earliest.size();
    }

    /**
     * Restarts all tasks from their beginning. Leased tasks lose their leases and wait from now on. Waiting tasks keep
     * their turns, and lent tasks stay lent.
     */
    void restart(long now) {
        for (LoggedTask logged : unfinished.values()) {
            logged.update("", logged.task.attempts(), logged.task.outage());
        }
        for (LoggedTask logged : List.copyOf(tokens)) {
            if (!logged.lent) {
                end(logged);
                letWait(logged, now);
            }
        }
    }

    /** The task of a claim, unless the claim has lost its lease. */
    @Nullable
    LoggedTask claimed(Claim claim) {
        LoggedTask logged = unfinished.get(claim.task().id());
        return logged != null && logged.token == claim.lease() && !logged.lent ? logged : null;
    }

    /** The task of a loan, unless the loan has run out, was taken or was returned. */
    @Nullable
    LoggedTask lent(Loan loan) {
        LoggedTask logged = unfinished.get(loan.taskId());
        return logged != null && logged.token == loan.token() && logged.lent ? logged : null;
    }

    void extend(LoggedTask logged, long until) {
        tokens.remove(logged);
        logged.until = until;
        tokens.add(logged);
    }

    /** Gives a leased or lent task back. */
    void giveBack(LoggedTask logged, long now, long notBefore) {
        end(logged);
        letWait(logged, now, notBefore);
    }

    /** Removes a leased task from the queue. */
    void remove(LoggedTask logged) {
        end(logged);
        unfinished.remove(logged.task.id());
        kinds.computeIfPresent(logged.task.kind(), (kind, count) -> count == 1 ? null : count - 1);
        (logged.shown ? shown : invisible).remove(logged);
        if (logged.task.kind() == Kind.CATCH_UP) {
            catchUps.computeIfPresent(catchUp(logged.task), (key, count) -> count == 1 ? null : count - 1);
        }
    }

    private void letWait(LoggedTask logged, long now, long notBefore) {
        if (notBefore <= now) {
            letWait(logged, now);
        } else {
            logged.turn = ++turns;
            logged.until = notBefore;
            heldBack.add(logged);
        }
    }

    private void letWait(LoggedTask logged, long since) {
        logged.lapsed = false;
        logged.since = since;
        logged.turn = ++turns;
        waiting.add(logged);
    }

    /** Ends a lease or a loan. */
    private void end(LoggedTask logged) {
        tokens.remove(logged);
        lent -= logged.lent ? 1 : 0;
        logged.lent = false;
        logged.token = 0;
    }

    private static CatchUp catchUp(Task task) {
        return new CatchUp(task.author(), task.version());
    }
}
