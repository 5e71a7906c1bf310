package io.feedkit.internal.relay;

import io.feedkit.internal.fanout.RoundThreads;
import io.feedkit.internal.fanout.RoundThreads.Found;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.EngineSettings.Lending;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lends tasks of the log, and sends a message for each to the queue. If the queue does not confirm a message, its task
 * goes back to the log at once. Any number of relays may work on one log. If a relay dies in between, the loans run
 * out. Thread-safe.
 */
public final class Relay implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    private static final int MOST_AT_ONCE = 256;

    /** How soon the relay looks again when the window was full: the workers make room. */
    private static final Duration FIRST_REST = Duration.ofMillis(10);

    /** Relays that lend at the same time may together exceed the window by this part of it, each. */
    private static final int PARTS_OF_WINDOW = 8;

    private final FanoutLog fanoutLog;
    private final FanoutQueue queue;
    private final QueueHealth health;
    private final TrafficCounter traffic;
    private final EngineSettings settings;
    private final long loanMillis;
    private final int atOnce;
    private final LendingWindow window;
    private final RoundThreads thread;
    private final long lapseNanos;
    private volatile long lentAt;
    private Watch watch = () -> {};

    Relay(
            EngineSettings settings,
            Lending lending,
            FanoutLog fanoutLog,
            FanoutQueue queue,
            QueueHealth health,
            TrafficCounter traffic,
            GuardedListener listener) {
        this.settings = settings;
        this.fanoutLog = fanoutLog;
        this.queue = queue;
        this.health = health;
        this.traffic = traffic;
        this.loanMillis = lending.loan().toMillis();
        this.atOnce = Math.max(1, Math.min(MOST_AT_ONCE, lending.window() / PARTS_OF_WINDOW));
        this.window = new LendingWindow(lending.window(), loanMillis);
        this.lapseNanos =
                Math.max(lending.loan().toNanos(), settings.fanout().lease().toNanos());
        this.lentAt = System.nanoTime() - lapseNanos;
        this.thread = new RoundThreads(
                log, settings, "the relay", "relay", 1, FIRST_REST, this::longestRest, listener, this::run);
    }

    /**
     * As long as the loan of a task that this relay has lent may run out, or the first lease after it, the relay looks
     * as often as workers do.
     */
    private Duration longestRest() {
        boolean lately = System.nanoTime() - lentAt < lapseNanos;
        return lately ? settings.fanout().pollInterval() : idleRest(settings);
    }

    /** How long idle relays and workers do not look into the log, if nothing wakes them. */
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

    /** Lends and sends some tasks. If fewer than wanted can be lent, no more are due, or the window is full. */
    private Found run() {
        boolean open = health.isOpen();
        traffic.state(open);
        if (!open) {
            return Found.NOTHING;
        }
        List<LentTask> lent = fanoutLog.lend(atOnce, loanMillis, window.size());
        if (lent.isEmpty()) {
            return Found.NOTHING;
        }
        window.lent(lent, settings.now());
        lentAt = System.nanoTime();
        List<Loan> unconfirmed = send(lent);
        int lapsed = (int) lent.stream().filter(LentTask::lapsed).count();
        traffic.sent(lent.size(), lapsed, unconfirmed.size());
        if (unconfirmed.isEmpty()) {
            health.confirmed();
            return lent.size() == atOnce ? Found.MORE : Found.SOME;
        }
        health.failed(unconfirmed.size());
        return Found.NOTHING;
    }

    /** Sends the messages, and returns the loans whose messages were not confirmed, also to the log. */
    private List<Loan> send(List<LentTask> lent) {
        List<Loan> unconfirmed =
                new ArrayList<>(lent.stream().map(LentTask::loan).toList());
        try {
            List<Sent> sent = queue.send(lent.stream().map(TaskMessage::of).toList());
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

    /** Ends the relay. Messages that it has sent stay in the queue. */
    @Override
    public void close() {
        watch.close();
        thread.close();
    }
}
