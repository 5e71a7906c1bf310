package io.feedkit.internal.relay;

import io.feedkit.internal.fanout.RoundThreads;
import io.feedkit.internal.fanout.RoundThreads.Found;
import io.feedkit.internal.fanout.RoundThreads.Work;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lends tasks of the log, and sends a message for each to the queue. If the queue does not confirm a message, its task
 * goes back to the log at once. Any number of relays may work on one log. If a relay dies before that, the loans run
 * out. Thread-safe.
 */
public final class Relay implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    private static final int MOST_AT_ONCE = 256;

    /** How soon the relay tries again when the window was full: the workers make room. */
    private static final Duration FIRST_REST = Duration.ofMillis(10);

    /**
     * When several relays lend at the same time, each may exceed the window by at most the window divided by this
     * number.
     */
    private static final int PARTS_OF_WINDOW = 8;

    /** A message that tests the queue must arrive within the time of its loan divided by this number. */
    private static final int PARTS_OF_LOAN = 4;

    /** The loan of a message that tests whether the queue delivers, and when it was sent. */
    private record Test(Loan loan, long at) {}

    private final String identity;
    private final FanoutLog fanoutLog;
    private final FanoutQueue queue;
    private final QueueHealth health;
    private final TrafficCounter traffic;
    private final QueuedTasks tasks;
    private final EngineSettings settings;
    private final long loanMillis;
    private final int atOnce;
    private final LendingWindow window;
    private final RoundThreads thread;
    private final long lapseNanos;
    private volatile long lentAt;
    private Optional<Test> test = Optional.empty();
    private Watch watch = () -> {};

    Relay(
            EngineSettings settings,
            QueuedFanout queued,
            String identity,
            FanoutLog fanoutLog,
            FanoutQueue queue,
            QueueHealth health,
            TrafficCounter traffic,
            QueuedTasks tasks,
            GuardedListener listener) {
        this.settings = settings;
        this.identity = identity;
        this.fanoutLog = fanoutLog;
        this.queue = queue;
        this.health = health;
        this.traffic = traffic;
        this.tasks = tasks;
        this.loanMillis = queued.loan().toMillis();
        this.atOnce = Math.max(1, Math.min(MOST_AT_ONCE, queued.lendingWindow() / PARTS_OF_WINDOW));
        this.window = new LendingWindow(queued.lendingWindow(), loanMillis);
        this.lapseNanos =
                Math.max(queued.loan().toNanos(), settings.fanout().lease().toNanos());
        this.lentAt = System.nanoTime() - lapseNanos;
        this.thread = new RoundThreads(
                log, settings, listener, new Work("relay", "relay", 1, FIRST_REST, this::longestRest, this::run));
    }

    /**
     * The relay polls the log as often as workers do while a loan that it made, or the first lease after that loan, may
     * run out. Otherwise it polls less often.
     */
    private Duration longestRest() {
        boolean lately = System.nanoTime() - lentAt < lapseNanos;
        return lately ? settings.fanout().pollInterval() : idleRest(settings);
    }

    /** The pause after which idle relays and workers poll the log, if nothing wakes them. */
    static Duration idleRest(EngineSettings settings) {
        return settings.fanout().pollInterval().multipliedBy(20);
    }

    public void start() {
        watch = fanoutLog.watch(thread::wake);
        thread.start();
    }

    /** Wakes the relay: there may be a task. */
    public void wake() {
        thread.wake();
    }

    /** Wakes the relay, and makes it look again soon: a task may become visible shortly. */
    public void wakeSoon() {
        thread.wakeSoon();
    }

    private Found run() {
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
        List<Loan> unconfirmed = send(others);
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

    /** Sends the messages. Returns the loans of unconfirmed messages to the log, and to the caller. */
    private List<Loan> send(List<LentTask> lent) {
        List<Loan> unconfirmed =
                new ArrayList<>(lent.stream().map(LentTask::loan).toList());
        try {
            List<Sent> sent = queue.send(
                    lent.stream().map(task -> TaskMessage.of(identity, task)).toList());
            for (int i = lent.size() - 1; i >= 0; i--) {
                if (sent.get(i) == Sent.CONFIRMED) {
                    unconfirmed.remove(i);
                }
            }
        } finally {
            if (!unconfirmed.isEmpty()) {
                fanoutLog.returnLoans(unconfirmed);
            }
        }
        return unconfirmed;
    }

    /** Stops the relay. Messages that it has sent stay in the queue. */
    @Override
    public void close() {
        watch.close();
        thread.close();
    }
}
