package io.feedkit.internal.inbox.loss;

import io.feedkit.event.DeliveryLossSuspected;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.check.FailureReasons;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Inbox;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Repeats deliveries after a suspected loss: the inbox store acknowledged them, but may have lost them
 * ({@link Inbox#deliveriesSafeSince}). An operator may also declare a loss, which the log then records.
 *
 * <p>Tasks that were finished within the replay horizon are restarted, and so are all unfinished tasks. The log
 * restarts them once for each loss, for any number of engines that notice it. A worker that claimed a task before the
 * restart can record nothing more, because its lease is lost. The restart comes some seconds after the loss was
 * noticed: until all engines have noticed it, one of them may deliver to a server that was replaced. Losses of older
 * deliveries are repaired by reads: an inbox whose mark is older than the suspected loss is refreshed. A refresh also
 * removes posts that the outboxes have lost. A worker may have been delivering such a post just then, so the inbox is
 * refreshed again after a lease; no delivery lasts much longer than a lease. Thread-safe.
 */
public final class DeliveryLossRecovery {

    private static final Logger log = LoggerFactory.getLogger(DeliveryLossRecovery.class);

    private static final long PAUSE_MILLIS = 1000;

    /**
     * How far the clock of the outbox's store, which times tasks and marks, may be ahead of the inbox store's clock.
     */
    private static final long SKEW_MILLIS = 300_000;

    private final EngineSettings settings;
    private final Inbox inbox;
    private final FanoutLog fanoutLog;
    private final FolloweeCache followeeCache;
    private final GuardedListener events;
    private final LossQuestion question;
    private final Paced asking =
            new Paced("cannot ask the inbox store whether it lost deliveries; trying again in a second");
    private final Paced restarting =
            new Paced("cannot restart tasks after a loss of deliveries; trying again in a second");

    private volatile long before;
    private volatile long noticed;
    private volatile boolean noticedAtStart;
    private volatile boolean asked;
    private volatile boolean toRestart;

    public DeliveryLossRecovery(
            EngineSettings settings,
            Inbox inbox,
            FanoutLog fanoutLog,
            FolloweeCache followeeCache,
            GuardedListener events) {
        this.settings = settings;
        this.inbox = inbox;
        this.fanoutLog = fanoutLog;
        this.followeeCache = followeeCache;
        this.events = events;
        this.question = new LossQuestion(settings);
    }

    /** Stops the thread that asks the store. */
    public void close() {
        question.close();
    }

    /** The time of the last suspected loss: deliveries before it may be lost. */
    public long before() {
        return before;
    }

    /**
     * The time, by this engine's clock, since which an inbox must have been refreshed. It is the time when the loss was
     * noticed; a lease later, when all deliveries under way at that time have arrived, it is that later time.
     */
    public long refreshSince(long now) {
        long arrived = noticed + leaseMillis();
        return now < arrived ? noticed : arrived;
    }

    /**
     * Whether an inbox with this mark may have been reconciled before the suspected loss, or before all deliveries
     * under way at that time had arrived.
     */
    public boolean concernsInbox(long mark) {
        return mayConcern(mark - leaseMillis());
    }

    private long leaseMillis() {
        return settings.fanout().tasks().lease().toMillis();
    }

    /** Whether a time of the outbox store's clock may be before the suspected loss. */
    private boolean mayConcern(long time) {
        return before > 0 && time < before + SKEW_MILLIS;
    }

    /**
     * Asks the store for losses if it was not asked within the last second. After a failure, the next call tries again.
     * While the store does not answer, callers use its last answer. Restarts no tasks; that is left to workers.
     */
    public void notice() {
        if (asking.isDue()) {
            question.ask(() -> asking.runIfDue(this::ask));
        }
    }

    /** Asks the store for losses as {@link #notice}, and restarts tasks if necessary. */
    public void look() {
        notice();
        if (toRestart && !isWithin(Inbox.LOSS_NOTICED_WITHIN_MILLIS, noticed, settings.now())) {
            restarting.runIfDue(this::restart);
        }
    }

    /** An action that one thread at a time runs, at most once a second. */
    private final class Paced {

        private final ReentrantLock lock = new ReentrantLock();
        private final String whatFailed;
        private volatile long last = Long.MIN_VALUE;
        private volatile boolean warned;

        Paced(String whatFailed) {
            this.whatFailed = whatFailed;
        }

        boolean isDue() {
            return !isWithin(PAUSE_MILLIS, last, settings.now());
        }

        void runIfDue(Runnable action) {
            if (!isDue() || !lock.tryLock()) {
                return;
            }
            try {
                last = settings.now();
                action.run();
                warned = false;
            } catch (Exception e) {
                Interrupts.keep(e);
                log.atLevel(warned ? Level.DEBUG : Level.WARN)
                        .setCause(FailureReasons.printable(e))
                        .log("{}: {}; further failures in a row are logged at DEBUG", settings.name(), whatFailed);
                warned = true;
            } finally {
                lock.unlock();
            }
        }
    }

    private static boolean isWithin(long millis, long since, long now) {
        return since <= now && now < since + millis;
    }

    private void ask() {
        long trusted = Math.max(inbox.deliveriesSafeSince(), fanoutLog.latestLoss());
        if (trusted > before) {
            // Set after the answer: the wait before the restart begins when the loss is known.
            noticed = settings.now();
            noticedAtStart = !asked;
            before = trusted;
            followeeCache.clear();
            toRestart = true;
        }
        asked = true;
    }

    private void restart() {
        if (!toRestart) {
            return;
        }
        long loss = before;
        OptionalInt restarted = fanoutLog.restart(
                loss, noticed - settings.fanout().tasks().replayHorizon().toMillis());
        toRestart = false;
        Instant lostBefore = Instant.ofEpochMilli(loss);
        if (restarted.isPresent()) {
            log.warn(
                    "{}: the inboxes may have lost deliveries made before {}; restarting {} finished tasks and all "
                            + "unfinished tasks",
                    settings.name(),
                    lostBefore,
                    restarted.getAsInt());
        } else {
            log.debug(
                    "{}: the inboxes may have lost deliveries made before {}; another engine has restarted the tasks",
                    settings.name(),
                    lostBefore);
        }
        if (restarted.isPresent() || !noticedAtStart) {
            events.notify(listener ->
                    listener.deliveryLossSuspected(DeliveryLossSuspected.of(lostBefore, restarted.orElse(0))));
        }
    }
}
