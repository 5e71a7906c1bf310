package io.feedkit.internal.inbox;

import io.feedkit.event.DeliveriesDoubted;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.Inbox;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What of the deliveries may be lost although the inbox store acknowledged them ({@link Inbox#trustedSince}), and has
 * to be done again.
 *
 * <p>Tasks that were finished within the replay horizon are reopened. Those that were finished by a round under way at
 * that moment may have come too late for it: their round says so, and they are reopened at the next look. Unfinished
 * tasks begin again when they are next claimed, once. What is older than the horizon is found by the readers: an inbox
 * whose mark is older than the doubts is refreshed. That also takes out what the outboxes have lost; and since a worker
 * may just have been delivering such a post, an inbox is refreshed again when a lease has passed, which no delivery
 * outlasts for long. Thread-safe.
 */
public final class DeliveryLossRecovery {

    private static final Logger log = LoggerFactory.getLogger(DeliveryLossRecovery.class);

    private static final long PAUSE_MILLIS = 1000;

    /** Tasks and marks bear times of the outbox's store, whose clock may be ahead of the inbox store's by so much. */
    private static final long SKEW_MILLIS = 60_000;

    /** The most tasks remembered. With more of them all are forgotten, and begin again once more. */
    static final int MOST_BEGUN = 100_000;

    private final EngineSettings settings;
    private final Inbox inbox;
    private final FanoutLog fanoutLog;
    private final FolloweeCache followeeCache;
    private final GuardedListener events;
    private final ReentrantLock lock = new ReentrantLock();

    /** Which unfinished tasks were begun, or begun again, after which doubts. */
    private final Map<String, Long> begun = new ConcurrentHashMap<>();

    private volatile long before;
    private volatile long noticed;
    private volatile boolean warned;
    private volatile boolean toReopen;
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

    /** What was delivered before this time is doubted. */
    public long before() {
        return before;
    }

    /**
     * Since when, by this engine's clock, an inbox must have been refreshed: since that was noticed; and once more
     * since all that was on its way to it then has arrived.
     */
    long refreshSince(long now) {
        long arrived = noticed + leaseMillis();
        return now < arrived ? noticed : arrived;
    }

    /**
     * Whether an inbox with this mark may have been reconciled before the doubts, or before all that was on its way
     * then had arrived.
     */
    boolean concernInbox(long mark) {
        return mayConcern(mark - leaseMillis());
    }

    private long leaseMillis() {
        return settings.fanout().lease().toMillis();
    }

    /** Whether what has this time, by the outbox store's clock, may be older than the doubts. */
    private boolean mayConcern(long time) {
        return before > 0 && time < before + SKEW_MILLIS;
    }

    /** The same as {@link #look}, for threads of readers, who leave it to others to have tasks done again. */
    void notice() {
        ifNotLately(this::ask);
    }

    /**
     * Asks the store if that was not done lately, and does what has to be done at once; what fails is done at the next
     * look.
     */
    public void look() {
        ifNotLately(now -> {
            ask(now);
            if (toReopen) {
                reopen(now - settings.fanout().replayHorizon().toMillis());
            }
        });
    }

    private void ifNotLately(LongConsumer action) {
        long now = settings.clock().millis();
        boolean lately = looked <= now && now < looked + PAUSE_MILLIS;
        if (lately || !lock.tryLock()) {
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
                            "{}: it is not known whether deliveries were lost; further failures in a row are "
                                    + "logged at DEBUG",
                            settings.name());
            warned = true;
        } finally {
            lock.unlock();
        }
    }

    private void ask(long now) {
        long trusted = inbox.trustedSince();
        if (trusted > before) {
            noticed = now;
            before = trusted;
            followeeCache.clear();
            begun.clear();
            toReopen = true;
        }
    }

    private void reopen(long finishedSince) {
        int reopened = fanoutLog.reopen(finishedSince);
        toReopen = false;
        Instant doubted = Instant.ofEpochMilli(before);
        log.warn(
                "{}: inboxes may have lost what was delivered before {}: {} finished tasks are done again",
                settings.name(),
                doubted,
                reopened);
        events.tell(listener -> listener.doubted(new DeliveriesDoubted(doubted, reopened)));
    }

    /** Says that tasks were finished that had been claimed when the doubts were these. */
    public void finished(long doubtsThen) {
        if (before != doubtsThen) {
            toReopen = true;
        }
    }

    /** Whether what was done of a task before it was claimed is doubted. */
    public boolean concern(Task task) {
        return mayConcern(task.created()) && !task.after().isEmpty() && begun.getOrDefault(task.id(), 0L) < before;
    }

    /** Says that a task is taken up; if it is at its beginning, nothing of it will be doubted until new doubts. */
    public void begin(Task task) {
        if (task.after().isEmpty() && mayConcern(task.created())) {
            if (begun.size() >= MOST_BEGUN && !begun.containsKey(task.id())) {
                begun.clear();
            }
            begun.put(task.id(), before);
        }
    }

    /** How many tasks are remembered. */
    int size() {
        return begun.size();
    }

    /** Says that a task is finished. */
    public void end(Task task) {
        begun.remove(task.id());
    }
}
