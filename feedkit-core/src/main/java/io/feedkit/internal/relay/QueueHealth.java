package io.feedkit.internal.relay;

import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Status;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether the queue can be used now. After unconfirmed messages, the relay waits before it tries again, longer
 * each time. If the queue has confirmed messages but not delivered them, only one task at a time is sent through it,
 * until one arrives. Meanwhile the workers claim from the log. Thread-safe.
 */
final class QueueHealth {

    private static final Logger log = LoggerFactory.getLogger(QueueHealth.class);

    /** The longest pause between two tests, in loans. */
    private static final int MOST_LOANS = 8;

    private final FanoutQueue queue;
    private final EngineSettings settings;
    private final long loanMillis;
    private final GrowingPause unconfirmed;
    private final GrowingPause untested;
    private final WarningLimiter warnings;
    private final WarningLimiter deliveryWarnings;
    private volatile boolean delivers = true;
    private volatile long deliveredAt = Long.MIN_VALUE;

    QueueHealth(FanoutQueue queue, EngineSettings settings, Duration loan) {
        this.queue = queue;
        this.settings = settings;
        this.loanMillis = loan.toMillis();
        this.unconfirmed = GrowingPause.untilNextTry(settings.clock());
        this.untested = new GrowingPause(settings.clock(), loanMillis, MOST_LOANS * loanMillis);
        this.warnings = new WarningLimiter(settings.clock());
        this.deliveryWarnings = new WarningLimiter(settings.clock());
    }

    /** Whether the relay may send, and workers need not claim from the log. */
    boolean isOpen() {
        return delivers && takesMessages();
    }

    private boolean takesMessages() {
        return queue.status() == Status.OPEN && unconfirmed.isOver();
    }

    /** Whether the queue takes no messages, cannot be reached, or does not deliver. */
    boolean isBlocked() {
        return !delivers || queue.status() != Status.OPEN;
    }

    /** Whether to test with one task whether the queue delivers again. */
    boolean isTestDue() {
        return !delivers && untested.isOver() && takesMessages();
    }

    void confirmed() {
        unconfirmed.end();
    }

    /** Records that messages were not confirmed. Called by the relay's thread. */
    void failed(int messages) {
        unconfirmed.begin();
        log.atLevel(warnings.level())
                .log(
                        "{}: the fan-out queue did not confirm {} messages; their tasks stay in the log until the "
                                + "next try; failures of the next minutes are logged at DEBUG",
                        settings.name(),
                        messages);
    }

    /** Records that a task has come through the queue. */
    void delivered() {
        deliveredAt = settings.now();
        if (!delivers) {
            delivers = true;
            untested.end();
            log.info("{}: the fan-out queue delivers again", settings.name());
        }
    }

    /**
     * Records that the queue has confirmed messages but not delivered them. If other messages have arrived at this
     * engine within the time of a loan, the queue stays in use.
     */
    void undelivered(int messages) {
        if (deliveredAt == Long.MIN_VALUE || settings.now() - deliveredAt >= loanMillis) {
            delivers = false;
            untested.begin();
        }
        log.atLevel(deliveryWarnings.level())
                .log(
                        "{}: the fan-out queue confirmed {} messages, but no worker took their tasks; workers claim"
                                + " these tasks from the store instead; check the broker, and whether workers run;"
                                + " failures of the next minutes are logged at DEBUG",
                        settings.name(),
                        messages);
    }
}
