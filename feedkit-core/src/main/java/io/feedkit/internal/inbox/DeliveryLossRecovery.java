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
 * Repeats deliveries after a suspected loss: the inbox store acknowledged them, but may have lost them
 * ({@link Inbox#trustedSince}).
 *
 * <p>Tasks that were finished within the replay horizon are reopened. A round that was under way at that moment may
 * finish tasks too late for this. The round reports it, and its tasks are reopened at the next look. Unfinished tasks
 * begin again, once, when they are next claimed. Losses of older deliveries are repaired by reads: an inbox whose mark
 * is older than the suspected loss is refreshed. A refresh also takes out posts that the outboxes have lost. A worker
 * may have been delivering such a post just then, so the inbox is refreshed again after a lease; no delivery outlasts a
 * lease for long. Thread-safe.
 */
public final class DeliveryLossRecovery {

    private static final Logger log = LoggerFactory.getLogger(DeliveryLossRecovery.class);

    private static final long PAUSE_MILLIS = 1000;

    /**
     * How far the clock of the outbox's store, which times tasks and marks, may be ahead of the inbox store's clock.
     */
    private static final long SKEW_MILLIS = 60_000;

    /** The most tasks remembered. If there are more, all are forgotten, and each begins again once more. */
    static final int MOST_BEGUN = 100_000;

    private final EngineSettings settings;
    private final Inbox inbox;
    private final FanoutLog fanoutLog;
    private final FolloweeCache followeeCache;
    private final GuardedListener events;
    private final ReentrantLock lock = new ReentrantLock();

    /** For each unfinished task, the suspected loss after which it began, or began again. */
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

    /** As {@link #look}, but reopens no tasks; for threads of readers, who leave that to workers. */
    void notice() {
        ifNotLately(this::ask);
    }

    /**
     * Asks the store if it was not asked within the last second, and reopens tasks if necessary. What fails is tried
     * again at the next look.
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
                            "{}: the inbox store cannot tell whether deliveries were lost; further failures "
                                    + "in a row are logged at DEBUG",
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
                "{}: inboxes may have lost deliveries from before {}: {} finished tasks are done again",
                settings.name(),
                doubted,
                reopened);
        events.tell(listener -> listener.doubted(new DeliveriesDoubted(doubted, reopened)));
    }

    /** Records that tasks were finished. {@code doubtsThen} is the value of {@link #before} when they were claimed. */
    public void finished(long doubtsThen) {
        if (before != doubtsThen) {
            toReopen = true;
        }
    }

    /** Whether deliveries of a task from before its present claim may be lost. */
    public boolean concern(Task task) {
        return mayConcern(task.created()) && !task.after().isEmpty() && begun.getOrDefault(task.id(), 0L) < before;
    }

    /**
     * Records that a worker begins with a task. A task at its beginning is not concerned until the next suspected loss.
     */
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

    /** Records that a task is finished. */
    public void end(Task task) {
        begun.remove(task.id());
    }
}
