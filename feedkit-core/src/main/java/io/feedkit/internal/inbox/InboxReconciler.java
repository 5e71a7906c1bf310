package io.feedkit.internal.inbox;

import io.feedkit.event.InboxRefreshed;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.RecentReaders;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.inbox.InboxRepair.Outcome;
import io.feedkit.internal.inbox.loss.DeliveryLossRecovery;
import io.feedkit.internal.signal.FeedSignals;
import io.feedkit.internal.signal.Signal;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Decides when inboxes are reconciled with the outboxes and the follow graph.
 *
 * <p>An active reader's inbox is reconciled once in an interval. The inbox's mark records when it was last reconciled;
 * it is taken before the outboxes are read. The inbox also keeps a checksum of the followees. If the checksum differs,
 * a follow or unfollow was not reported to the engine, or was interrupted. Then the inbox is reconciled at once.
 * Thread-safe.
 */
public final class InboxReconciler {

    private static final long SHORTEST_AGE_OF_SOME_MILLIS = 1000;

    private final EngineSettings settings;
    private final DeliveryLossRecovery losses;
    private final InboxContents contents;
    private final InboxRepair repair;
    private final FeedSignals signals;
    private final GuardedListener listener;
    private final Semaphore permits;
    private final RecentReaders reconciled = new RecentReaders();
    private final RecentReaders compared = new RecentReaders();

    public InboxReconciler(
            EngineSettings settings,
            DeliveryLossRecovery losses,
            InboxContents contents,
            InboxRepair repair,
            FeedSignals signals,
            GuardedListener listener) {
        this.settings = settings;
        this.losses = losses;
        this.contents = contents;
        this.repair = repair;
        this.signals = signals;
        this.listener = listener;
        permits = new Semaphore(settings.inboxes().concurrentRebuilds());
    }

    /** Reconciles everything above the floor; builds the inbox if there is none. */
    public Outcome refresh(String reader) {
        return refresh(reader, contents.slice(reader));
    }

    private Outcome refresh(String reader, Slice found) {
        if (found.state() != State.LIVE) {
            repair.build(reader, false);
            return Outcome.NOTHING;
        }
        Outcome outcome = repair.refresh(reader, found);
        if (outcome.added() > 0) {
            signals.send(List.of(new Signal.Repaired(reader)));
        }
        listener.notify(listener -> listener.refreshed(InboxRefreshed.builder(reader)
                .added(outcome.added())
                .removed(outcome.removed())
                .afterSuspectedLoss(mayLackDeliveries(found))
                .build()));
        return outcome;
    }

    /** Ends the reader's pending follows. Then builds the inbox anew, or refreshes it if it is live. */
    public void repair(String reader, boolean replace) {
        Slice slice = contents.state(reader);
        repair.finishFollows(reader, slice);
        if (replace) {
            repair.build(reader, true);
        } else if (slice.state() == State.LIVE) {
            refresh(reader);
        }
    }

    /**
     * Refreshes the inbox if it is known to differ from the outboxes or the graph: after a suspected loss, or if it was
     * made for other followees. Returns whether anything changed.
     */
    boolean healIfDue(String reader, Slice slice, Supplier<FolloweeSet> followees) {
        long now = settings.now();
        if (settings.fanout().workers() == 0) {
            losses.notice();
        }
        if (mayLackDeliveries(slice)) {
            return wasNotRefreshedSince(reader, now) && refreshIfPermitted(reader, reconciled);
        }
        return hasOtherFollowees(slice, followees)
                && compared.isDue(reader, now, shortestAge(followees.get()))
                && refreshIfPermitted(reader, compared);
    }

    /** Whether {@link #healIfDue} would refresh the inbox. Asks no store, and changes nothing. */
    boolean wouldHeal(String reader, Slice slice, FolloweeSet followees) {
        long now = settings.now();
        if (permits.availablePermits() == 0) {
            return false;
        }
        if (mayLackDeliveries(slice)) {
            return !reconciled.isWithin(reader, now, sinceLoss(now));
        }
        return hasOtherFollowees(slice, () -> followees) && !compared.isWithin(reader, now, shortestAge(followees));
    }

    /** Whether an inbox that is not known to be wrong is due to be reconciled. */
    boolean isRoutineDue(String reader, Slice slice) {
        return isOld(slice) && !mayLackDeliveries(slice) && !reconciled.isWithin(reader, settings.now(), everyMillis());
    }

    /**
     * Whether an inbox that is not known to be wrong is due to be reconciled, although its reader reads no first page.
     */
    boolean isOverdue(String reader, Slice slice) {
        return settings.now() - slice.mark() >= settings.inboxes().maxAge().toMillis() && isRoutineDue(reader, slice);
    }

    /**
     * Reconciles an inbox that was due for the routine, unless another engine has done it meanwhile. Returns whether
     * anything changed.
     */
    boolean reconcile(String reader) {
        reconciled.note(reader, settings.now());
        return attempt(reader, reconciled, () -> {
            Slice found = contents.slice(reader);
            return isOld(found) && refresh(reader, found).isChange();
        });
    }

    private boolean isOld(Slice slice) {
        return settings.now() - slice.mark() >= everyMillis();
    }

    private long everyMillis() {
        return settings.inboxes().reconcileInterval().toMillis();
    }

    private boolean mayLackDeliveries(Slice slice) {
        return losses.concernsInbox(slice.mark());
    }

    /**
     * Whether the reader's followees differ from those of the last reconciliation. While a follow is pending, the
     * answer is false.
     */
    private static boolean hasOtherFollowees(Slice slice, Supplier<FolloweeSet> followees) {
        return slice.pending().isEmpty() && followees.get().checksum() != slice.followees();
    }

    /**
     * The shortest time between two comparisons of an inbox. Engines may see different graphs, for example replicas
     * that lag; without this limit they would refresh the inbox at every page. The time is shorter for a reader who
     * follows {@code maxFollowees} authors or more: after an unfollow, the feed includes another author, whose posts
     * are missing.
     */
    private long shortestAge(FolloweeSet followees) {
        long age = settings.followees().maxAge().toMillis();
        return followees.authors().size() < settings.followees().most()
                ? age
                : Math.min(age, SHORTEST_AGE_OF_SOME_MILLIS);
    }

    private boolean wasNotRefreshedSince(String reader, long now) {
        return reconciled.isDue(reader, now, sinceLoss(now));
    }

    private long sinceLoss(long now) {
        return Math.min(everyMillis(), now - losses.refreshSince(now) + 1);
    }

    /**
     * Refreshes the inbox after a loss. At most {@code concurrentRebuilds} inboxes are refreshed at a time, because all
     * may be concerned at once. Without a permit, the read gets the inbox as it is, and a later read refreshes it.
     */
    private boolean refreshIfPermitted(String reader, RecentReaders done) {
        if (!permits.tryAcquire()) {
            done.forget(reader);
            return false;
        }
        try {
            return attempt(reader, done, () -> refresh(reader).isChange());
        } finally {
            permits.release();
        }
    }

    /** Runs upkeep that is not repeated for a while. If it fails, it is due again. */
    private static boolean attempt(String reader, RecentReaders done, BooleanSupplier upkeep) {
        try {
            return upkeep.getAsBoolean();
        } catch (Throwable e) {
            done.forget(reader);
            throw e;
        }
    }
}
