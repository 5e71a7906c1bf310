package io.feedkit.internal.relay;

import io.feedkit.internal.fanout.RoundThreads.Found;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Lends tasks of the log, and sends a message for each to the queue. Tests now and then whether a queue that failed
 * delivers again. If a relay dies before it sends the messages, the loans run out. Used by one thread.
 */
final class Lending {

    private static final int MOST_AT_ONCE = 256;

    /**
     * When several relays lend at the same time, each may exceed the window by at most the window divided by this
     * number.
     */
    private static final int PARTS_OF_WINDOW = 8;

    /** A message that tests the queue must arrive within the time of its loan divided by this number. */
    private static final int PARTS_OF_LOAN = 4;

    /** The loan of a message that tests whether the queue delivers, and when it was sent. */
    private record Test(Loan loan, long at) {}

    private final EngineSettings settings;
    private final FanoutLog fanoutLog;
    private final MessageSender sender;
    private final QueueHealth health;
    private final TrafficCounter traffic;
    private final QueuedTasks tasks;
    private final long loanMillis;
    private final int atOnce;
    private final LendingWindow window;
    private final long lapseNanos;
    private long lentAt;
    private Optional<Test> test = Optional.empty();

    Lending(
            EngineSettings settings,
            FanoutLog fanoutLog,
            MessageSender sender,
            QueueHealth health,
            TrafficCounter traffic,
            QueuedTasks tasks) {
        this.settings = settings;
        this.fanoutLog = fanoutLog;
        this.sender = sender;
        this.health = health;
        this.traffic = traffic;
        this.tasks = tasks;
        QueuedFanout queued = settings.fanout().queued().orElseThrow();
        this.loanMillis = queued.loan().toMillis();
        this.atOnce = Math.max(1, Math.min(MOST_AT_ONCE, queued.lendingWindow() / PARTS_OF_WINDOW));
        this.window = new LendingWindow(queued.lendingWindow(), loanMillis);
        this.lapseNanos = Math.max(
                queued.loan().toNanos(), settings.fanout().tasks().lease().toNanos());
        this.lentAt = System.nanoTime() - lapseNanos;
    }

    /** Whether a loan that was made here, or the first lease after that loan, may still run out. */
    boolean hasRecentLoan() {
        return System.nanoTime() - lentAt < lapseNanos;
    }

    /** Lends and sends what the queue can take now. */
    Found round() {
        test.ifPresent(this::endTestIfDue);
        boolean open = health.isOpen();
        traffic.state(open);
        if (open) {
            return lend(atOnce);
        }
        return test.isEmpty() && health.isTestDue() ? lend(1) : Found.NOTHING;
    }

    /** Lends and sends some tasks. If fewer than {@code most} can be lent, no more are due, or the window is full. */
    private Found lend(int most) {
        boolean isTest = !health.isOpen();
        List<LentTask> lent = fanoutLog.lend(most, loanMillis, window.size());
        if (lent.isEmpty()) {
            return Found.NOTHING;
        }
        window.lent(lent, settings.now());
        lentAt = System.nanoTime();
        int lapsed = (int) lent.stream().filter(LentTask::lapsed).count();
        Map<Boolean, List<LentTask>> parts = lent.stream().collect(Collectors.partitioningBy(this::isUndelivered));
        List<LentTask> undelivered = parts.getOrDefault(true, List.of());
        List<LentTask> others = parts.getOrDefault(false, List.of());
        if (!undelivered.isEmpty()) {
            claimDirectly(undelivered);
            if (!health.isOpen()) {
                fanoutLog.returnLoans(others.stream().map(LentTask::loan).toList());
                traffic.sent(0, lapsed, undelivered.size(), 0);
                return Found.SOME;
            }
        }
        List<Loan> unconfirmed = sender.send(others);
        traffic.sent(others.size(), lapsed, undelivered.size(), unconfirmed.size());
        if (!unconfirmed.isEmpty()) {
            health.failed(unconfirmed.size());
            return Found.NOTHING;
        }
        health.confirmed();
        if (isTest) {
            test = Optional.of(new Test(others.get(0).loan(), settings.now()));
        }
        return lent.size() == atOnce ? Found.MORE : Found.SOME;
    }

    /**
     * Whether loans of the task have run out twice. The log reports one of them. The other one follows from the task's
     * age, because any relay may have lent it. If the clocks of engine and store differ, the answer only changes
     * earlier or later.
     */
    private boolean isUndelivered(LentTask lent) {
        return lent.lapsed() && settings.now() - lent.task().created() >= 2 * loanMillis;
    }

    /** Bypasses the queue for tasks that it did not deliver: workers claim them directly. */
    private void claimDirectly(List<LentTask> undelivered) {
        health.undelivered(undelivered.size());
        tasks.claimDirectly(undelivered);
    }

    /** Ends a test when its time is up. If the loan can still be returned, no worker has taken it. */
    private void endTestIfDue(Test sent) {
        long waited = settings.now() - sent.at();
        if (waited >= 0 && waited < loanMillis / PARTS_OF_LOAN) {
            return;
        }
        boolean untaken = fanoutLog.returnLoans(List.of(sent.loan())).get(0) || waited >= loanMillis;
        test = Optional.empty();
        if (untaken) {
            health.undelivered(1);
        } else {
            health.delivered();
        }
    }
}
