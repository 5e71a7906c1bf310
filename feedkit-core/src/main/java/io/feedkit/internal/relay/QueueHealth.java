package io.feedkit.internal.relay;

import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.WarningLimiter;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Status;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the queue can be used now. After messages were not confirmed, the relay waits before it tries again, each
 * time longer. If the queue has confirmed messages and not delivered them, one task at a time goes through it, until
 * one has arrived. Meanwhile the workers claim from the log. Thread-safe.
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

    /** Whether to find out with one task whether the queue delivers again. */
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
                        "{}: {} messages were not confirmed by the fan-out queue, so their tasks wait in the log; "
                                + "failures of the next minutes are logged at DEBUG",
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
     * Records that the queue has confirmed messages and not delivered them. If others have arrived here in the time of
     * a loan, the queue is used all the same.
     */
    void undelivered(int messages) {
        if (deliveredAt == Long.MIN_VALUE || settings.now() - deliveredAt >= loanMillis) {
            delivers = false;
            untested.begin();
        }
        log.atLevel(deliveryWarnings.level())
                .log(
                        "{}: the fan-out queue has confirmed {} messages, and no worker has taken their tasks, which"
                                + " are claimed from the store instead: check the broker, and whether workers run;"
                                + " failures of the next minutes are logged at DEBUG",
                        settings.name(),
                        messages);
    }
}
