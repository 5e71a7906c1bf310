package io.feedkit.internal.inbox;

import io.feedkit.event.DeliveryLossSuspected;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.Inbox;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Repeats deliveries after a suspected loss: the inbox store acknowledged them, but may have lost them
 * ({@link Inbox#deliveriesSafeSince}).
 *
 * <p>Tasks that were finished within the replay horizon begin again, and so do all unfinished tasks. The log restarts
 * them once for a loss, for any number of engines that notice it. A worker that began before can record nothing more,
 * because its lease is lost. The restart comes some seconds after the loss was noticed: until all engines have noticed
 * it, one of them may deliver to a server that was replaced. Losses of older deliveries are repaired by reads: an inbox
 * whose mark is older than the suspected loss is refreshed. A refresh also takes out posts that the outboxes have lost.
 * A worker may have been delivering such a post just then, so the inbox is refreshed again after a lease; no delivery
 * outlasts a lease for long. Thread-safe.
 */
public final class DeliveryLossRecovery {

    private static final Logger log = LoggerFactory.getLogger(DeliveryLossRecovery.class);

    private static final long PAUSE_MILLIS = 1000;

    /**
     * How far the clock of the outbox's store, which times tasks and marks, may be ahead of the inbox store's clock.
     */
    private static final long SKEW_MILLIS = 60_000;

    private final EngineSettings settings;
    private final Inbox inbox;
    private final FanoutLog fanoutLog;
    private final FolloweeCache followeeCache;
    private final GuardedListener events;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile long before;
    private volatile long noticed;
    private volatile boolean noticedAtStart;
    private volatile boolean asked;
    private volatile boolean warned;
    private volatile boolean toRestart;
    private volatile long looked = Long.MIN_VALUE;

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
    }

    /** The time of the last suspected loss: deliveries before it may be lost. */
    public long before() {
        return before;
    }

    /**
     * The time, by this engine's clock, since which an inbox must have been refreshed. It is the time when the loss was
     * noticed; a lease later, when all deliveries under way at that time have arrived, it is that later time.
     */
    long refreshSince(long now) {
        long arrived = noticed + leaseMillis();
        return now < arrived ? noticed : arrived;
    }

    /**
     * Whether an inbox with this mark may have been reconciled before the suspected loss, or before all deliveries
     * under way at that time had arrived.
     */
    boolean concernInbox(long mark) {
        return mayConcern(mark - leaseMillis());
    }

    private long leaseMillis() {
        return settings.fanout().lease().toMillis();
    }

    /** Whether a time of the outbox store's clock may be before the suspected loss. */
    private boolean mayConcern(long time) {
        return before > 0 && time < before + SKEW_MILLIS;
    }

    /** As {@link #look}, but restarts no tasks; for threads of readers, who leave that to workers. */
    public void notice() {
        ifNotLately(now -> ask());
    }

    /**
     * Asks the store if it was not asked within the last second, and restarts tasks if necessary. What fails is tried
     * again at the next look.
     */
    public void look() {
        ifNotLately(now -> {
            ask();
            if (toRestart && !isWithin(Inbox.LOSS_NOTICED_WITHIN_MILLIS, noticed, settings.now())) {
                restart();
            }
        });
    }

    private void ifNotLately(LongConsumer action) {
        long now = settings.clock().millis();
        if (isWithin(PAUSE_MILLIS, looked, now) || !lock.tryLock()) {
            return;
        }
        try {
            looked = now;
            action.accept(now);
            warned = false;
        } catch (Exception e) {
            log.atLevel(warned ? Level.DEBUG : Level.WARN)
                    .setCause(e)
                    .log(
                            "{}: a loss of deliveries could not be looked for, or tasks not be restarted; further "
                                    + "failures in a row are logged at DEBUG",
                            settings.name());
            warned = true;
        } finally {
            lock.unlock();
        }
    }

    private static boolean isWithin(long millis, long since, long now) {
        return since <= now && now < since + millis;
    }

    private void ask() {
        long trusted = inbox.deliveriesSafeSince();
        if (trusted > before) {
            // After the answer: the wait before the restart begins when the loss is known.
            noticed = settings.now();
            noticedAtStart = !asked;
            before = trusted;
            followeeCache.clear();
            toRestart = true;
        }
        asked = true;
    }

    private void restart() {
        long loss = before;
        OptionalInt restarted = fanoutLog.restart(
                loss, noticed - settings.fanout().replayHorizon().toMillis());
        toRestart = false;
        Instant lostBefore = Instant.ofEpochMilli(loss);
        if (restarted.isPresent()) {
            log.warn(
                    "{}: inboxes may have lost what was delivered before {}: {} finished tasks and all unfinished ones "
                            + "begin again",
                    settings.name(),
                    lostBefore,
                    restarted.getAsInt());
        } else {
            log.debug("{}: another engine has restarted the tasks for the loss of {}", settings.name(), lostBefore);
        }
        if (restarted.isPresent() || !noticedAtStart) {
            events.tell(listener ->
                    listener.deliveryLossSuspected(new DeliveryLossSuspected(lostBefore, restarted.orElse(0))));
        }
    }
}
