package io.feedkit.memory;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Position;
import io.feedkit.spi.PulledRegister;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The fan-out log: a queue of unfinished tasks, the finished tasks by the time until which they are kept, and the dead
 * letters by id, under one lock.
 *
 * <p>The clock is read before the lock is taken, so times may arrive out of order. The log's own time never falls.
 * Otherwise a task could be recorded with a time before a settled mark that was already returned.
 */
final class MemoryFanoutLog implements FanoutLog {

    private static final int LONGEST_REASON = 500;
    private static final int REMOVED_AT_ONCE = 16;

    private final Clock clock;
    private volatile String policy = "";
    private final TaskQueue queue = new TaskQueue();
    private final PriorityQueue<LoggedTask> finished = new PriorityQueue<>(LoggedTask::byTime);
    private final TreeMap<String, Dead> dead = new TreeMap<>();
    private long time;
    private long ids;
    private long restartedFor;

    MemoryFanoutLog(Clock clock) {
        this.clock = clock;
    }

    /** Records a task about one post, and returns its time of recording. */
    synchronized long record(Kind kind, Position position, long now) {
        advance(now);
        record(kind, position, position, 0, KeyRange.ALL, time, false);
        return time;
    }

    /** Records a task about imported posts, and returns its time of recording. */
    synchronized long recordImport(Kind kind, Position oldest, Position newest, long now) {
        advance(now);
        record(kind, oldest, newest, 0, KeyRange.ALL, time, true);
        return time;
    }

    /** Every task recorded before this time is finished or dead. */
    long settledMark() {
        long now = clock.millis();
        synchronized (this) {
            advance(now);
            return queue.oldestCreated(time);
        }
    }

    @Override
    public List<Claim> claim(int max, long leaseMillis) {
        long now = clock.millis();
        synchronized (this) {
            advance(now);
            return queue.next(max, false, Deadline.of(time, leaseMillis), time).stream()
                    .map(logged -> new Claim(logged.task, logged.token))
                    .toList();
        }
    }

    @Override
    public List<LentTask> lend(int max, long loanMillis, int window) {
        long now = clock.millis();
        synchronized (this) {
            advance(now);
            int room = Math.max(0, window - queue.lent());
            return queue.next(Math.min(max, room), true, Deadline.of(time, loanMillis), time).stream()
                    .map(logged -> new LentTask(logged.task, new Loan(logged.task.id(), logged.token), logged.lapsed))
                    .toList();
        }
    }

    @Override
    public List<Optional<Claim>> take(List<Loan> loans, long leaseMillis) {
        long now = clock.millis();
        List<Optional<Claim>> answers = new ArrayList<>(loans.size());
        synchronized (this) {
            advance(now);
            for (Loan loan : loans) {
                Optional<LoggedTask> lent = Optional.ofNullable(queue.lent(loan));
                lent.ifPresent(logged -> queue.lease(logged, Deadline.of(time, leaseMillis)));
                answers.add(lent.map(logged -> new Claim(logged.task, logged.token)));
            }
        }
        return Collections.unmodifiableList(answers);
    }

    @Override
    public List<Boolean> returnLoans(List<Loan> loans) {
        long now = clock.millis();
        List<Boolean> answers = new ArrayList<>(loans.size());
        synchronized (this) {
            advance(now);
            for (Loan loan : loans) {
                Optional<LoggedTask> lent = Optional.ofNullable(queue.lent(loan));
                lent.ifPresent(logged -> queue.giveBack(logged, time, time));
                answers.add(lent.isPresent());
            }
        }
        return Collections.unmodifiableList(answers);
    }

    @Override
    public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
        List<Boolean> answers = new ArrayList<>(progress.size());
        for (Progress step : progress) {
            answers.add(ifLeased(step.claim(), logged -> {
                logged.recordProgress(step.after());
                queue.extend(logged, Deadline.of(time, leaseMillis));
            }));
        }
        return Collections.unmodifiableList(answers);
    }

    @Override
    public List<Boolean> release(List<Release> releases) {
        List<Boolean> answers = new ArrayList<>(releases.size());
        for (Release release : releases) {
            answers.add(ifLeased(release.claim(), logged -> {
                logged.recordProgress(release.after());
                queue.giveBack(logged, time, Deadline.of(time, release.delayMillis()));
            }));
        }
        return Collections.unmodifiableList(answers);
    }

    @Override
    public List<Boolean> finish(List<Claim> claims, long retainMillis) {
        List<Boolean> answers = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            answers.add(ifLeased(claim, logged -> {
                queue.remove(logged);
                logged.since = time;
                logged.until = Deadline.of(time, retainMillis);
                finished.add(logged);
            }));
        }
        return Collections.unmodifiableList(answers);
    }

    @Override
    public List<Boolean> fail(List<Failure> failures) {
        List<Boolean> answers = new ArrayList<>(failures.size());
        for (Failure failure : failures) {
            answers.add(ifLeased(failure.claim(), logged -> {
                logged.update(logged.task.after(), logged.task.attempts() + 1, logged.task.outage());
                queue.giveBack(logged, time, Deadline.of(time, failure.delayMillis()));
            }));
        }
        return Collections.unmodifiableList(answers);
    }

    @Override
    public List<Boolean> postpone(List<Postponement> postponements) {
        List<Boolean> answers = new ArrayList<>(postponements.size());
        for (Postponement postponement : postponements) {
            answers.add(ifLeased(postponement.claim(), logged -> {
                logged.update(logged.task.after(), 0, logged.task.outage().longerAt(time));
                queue.giveBack(logged, time, Deadline.of(time, postponement.delayMillis()));
            }));
        }
        return Collections.unmodifiableList(answers);
    }

    @Override
    public int hasten(int most) {
        long now = clock.millis();
        synchronized (this) {
            advance(now);
            return queue.hasten(most, time);
        }
    }

    @Override
    public boolean moveToDeadLetters(Claim claim, int attempts, String reason) {
        String cut = reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON);
        return ifLeased(claim, logged -> {
            queue.remove(logged);
            logged.update(logged.task.after(), attempts, logged.task.outage());
            dead.put(logged.task.id(), new Dead(logged.task, cut, time));
        });
    }

    @Override
    public boolean split(Claim claim, List<KeyRange> ranges) {
        return ifLeased(claim, logged -> {
            queue.remove(logged);
            Task task = logged.task;
            for (KeyRange range : ranges) {
                record(task.kind(), task.oldest(), task.newest(), task.version(), range, task.created(), logged.shown);
            }
        });
    }

    @Override
    public boolean retractLater(Claim claim, long delayMillis) {
        return ifLeased(claim, logged -> {
            queue.remove(logged);
            Task task = logged.task;
            Task again = new Task(
                    nextId(),
                    Kind.RETRACT_LATER,
                    task.oldest(),
                    task.newest(),
                    0,
                    task.range(),
                    "",
                    0,
                    Outage.NONE,
                    task.created());
            queue.add(new LoggedTask(again, logged.shown), time, Deadline.of(time, delayMillis));
        });
    }

    @Override
    public boolean catchUp(String author, PulledRegister.Entry entry) {
        long now = clock.millis();
        synchronized (this) {
            advance(now);
            if (queue.hasCatchUp(author, entry.version())) {
                return false;
            }
            record(Kind.CATCH_UP, entry.oldest(), entry.newest(), entry.version(), KeyRange.ALL, time, true);
            return true;
        }
    }

    @Override
    public QueueStatus queueStatus() {
        long now = clock.millis();
        synchronized (this) {
            advance(now);
            int deferred = queue.deferred(time);
            return new QueueStatus(queue.size() - deferred, deferred, dead.size(), queue.lent());
        }
    }

    @Override
    public synchronized long invisibleSince() {
        return queue.invisibleSince(0);
    }

    @Override
    public synchronized List<Dead> dead(String after, int limit) {
        return dead.tailMap(after, false).values().stream().limit(limit).toList();
    }

    /** Examines all tasks, for any {@code among}. */
    @Override
    public Found find(String author, int among) {
        long now = clock.millis();
        synchronized (this) {
            advance(now);
            List<FoundTask> found = new ArrayList<>(queue.find(author, time));
            dead.values().stream()
                    .filter(each -> each.task().author().equals(author))
                    .map(each -> new FoundTask(each.task(), TaskState.DEAD, each.died(), each.reason()))
                    .forEach(found::add);
            return new Found(found, true);
        }
    }

    @Override
    public void forEachUnfinished(Predicate<List<Task>> visitor) {
        List<Task> tasks;
        synchronized (this) {
            tasks = queue.tasks();
        }
        Listing.of(tasks, visitor);
    }

    @Override
    public int replay(Collection<String> ids) {
        long now = clock.millis();
        synchronized (this) {
            advance(now);
            int replayed = 0;
            for (String id : ids) {
                Dead entry = dead.remove(id);
                if (entry != null) {
                    wake(new LoggedTask(entry.task(), true), entry.task().after());
                    replayed++;
                }
            }
            return replayed;
        }
    }

    @Override
    public synchronized int discard(Collection<String> ids) {
        int discarded = 0;
        for (String id : ids) {
            if (dead.remove(id) != null) {
                discarded++;
            }
        }
        return discarded;
    }

    @Override
    public OptionalInt restart(long loss, long finishedSince) {
        long now = clock.millis();
        synchronized (this) {
            if (loss > 0 && loss <= restartedFor) {
                return OptionalInt.empty();
            }
            restartedFor = Math.max(restartedFor, loss);
            advance(now);
            queue.restart(time);
            List<LoggedTask> restarted = finished.stream()
                    .filter(logged -> logged.since >= finishedSince && logged.until > time)
                    .sorted(Comparator.comparing(logged -> logged.task.id()))
                    .toList();
            finished.removeIf(logged -> logged.since >= finishedSince);
            restarted.forEach(logged -> wake(logged, ""));
            return OptionalInt.of(restarted.size());
        }
    }

    @Override
    public synchronized Map<Kind, Long> unfinishedByKind() {
        return queue.byKind();
    }

    @Override
    public boolean canLend() {
        return true;
    }

    @Override
    public String policyInUse() {
        return policy;
    }

    @Override
    public void usePolicy(String name) {
        policy = name;
    }

    @Override
    public synchronized long latestLoss() {
        return restartedFor;
    }

    private void wake(LoggedTask logged, String after) {
        logged.shown = true;
        logged.wake(after);
        queue.add(logged, time);
    }

    private void record(
            Kind kind, Position oldest, Position newest, long version, KeyRange range, long created, boolean shown) {
        Task task = new Task(nextId(), kind, oldest, newest, version, range, "", 0, Outage.NONE, created);
        queue.add(new LoggedTask(task, shown), time);
    }

    private String nextId() {
        return HexFormat.of().toHexDigits(++ids);
    }

    private boolean ifLeased(Claim claim, Consumer<LoggedTask> change) {
        long now = clock.millis();
        synchronized (this) {
            advance(now);
            LoggedTask logged = queue.claimed(claim);
            if (logged == null) {
                return false;
            }
            change.accept(logged);
            return true;
        }
    }

    /**
     * Advances the log's time. Then ends leases and loans that have run out, and removes finished tasks that need not
     * be kept.
     */
    private void advance(long now) {
        time = Math.max(time, now);
        queue.expire(time);
        for (int i = 0; i < REMOVED_AT_ONCE && !finished.isEmpty() && finished.element().until <= time; i++) {
            finished.remove();
        }
    }
}
