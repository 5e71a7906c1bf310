package io.feedkit.internal.inbox;

import io.feedkit.Post;
import io.feedkit.event.InboxRefreshed;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.RecentReaders;
import io.feedkit.internal.copies.EngineCopies;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.signal.FeedSignals;
import io.feedkit.internal.signal.Signal;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PositionRange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Reconciles live inboxes with the outboxes and the follow graph. It inserts missing posts at or above the floor. It
 * removes posts that were deleted or lost, posts at an outdated position, and posts of authors who are no longer
 * followed.
 *
 * <p>An active reader's inbox is reconciled once in an interval. The inbox's mark records when it was last reconciled;
 * it is taken before the inbox is read. The inbox also keeps a checksum of the followees. If the checksum differs, a
 * follow or unfollow was not reported to the engine, or was interrupted. Then the inbox is reconciled at once.
 * Thread-safe.
 */
public final class InboxReconciler {

    private static final long SHORTEST_AGE_OF_SOME_MILLIS = 1000;

    /** The changes that a refresh made. */
    public record Outcome(int added, int removed) {

        private boolean isChange() {
            return added + removed > 0;
        }
    }

    private final EngineSettings settings;
    private final Inbox inbox;
    private final Outbox outbox;
    private final FolloweeCache followeeCache;
    private final GuardedListener listener;
    private final DeliveryLossRecovery losses;
    private final CheckedInserts inserts;
    private final InboxBuilder builder;
    private final Follows follows;
    private final FeedSignals signals;
    private final Optional<EngineCopies> copies;
    private final Semaphore permits;
    private final RecentReaders reconciled = new RecentReaders();
    private final RecentReaders compared = new RecentReaders();

    public InboxReconciler(
            EngineSettings settings,
            Inbox inbox,
            Outbox outbox,
            FolloweeCache followeeCache,
            GuardedListener listener,
            DeliveryLossRecovery losses,
            CheckedInserts inserts,
            InboxBuilder builder,
            Follows follows,
            FeedSignals signals,
            Optional<EngineCopies> copies) {
        this.settings = settings;
        this.inbox = inbox;
        this.outbox = outbox;
        this.followeeCache = followeeCache;
        this.listener = listener;
        this.losses = losses;
        this.inserts = inserts;
        this.builder = builder;
        this.follows = follows;
        this.signals = signals;
        this.copies = copies;
        permits = new Semaphore(settings.concurrentRebuilds());
    }

    /** Reconciles everything above the floor; builds the inbox if there is none. */
    public Outcome refresh(String reader) {
        return refresh(reader, whole(reader));
    }

    private Outcome refresh(String reader, Slice found) {
        if (found.state() != State.LIVE) {
            builder.build(reader, false);
            return new Outcome(0, 0);
        }
        long mark = outbox.settledMark();
        Slice slice = found.pending().isEmpty() ? found : settled(reader, found);
        // The followees must be loaded after the slice. Otherwise they might lack a followee whose entries the slice
        // holds, and the refresh would purge these entries under an epoch that is still valid.
        FolloweeSet followees = followeeCache.load(reader);
        Optional<InboxDifferences> differences = differences(slice, followees.authors());
        Outcome outcome = differences.map(each -> agree(reader, slice, each)).orElse(new Outcome(0, 0));
        inbox.complete(reader, slice.generation(), mark, followees.checksum());
        differences.ifPresent(
                each -> copies.ifPresent(copier -> copier.offer(reader, each.posts(), each.floor(), mark, followees)));
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
        return settings.now() - slice.mark() >= settings.maxInboxAge().toMillis() && isRoutineDue(reader, slice);
    }

    /**
     * Reconciles an inbox that was due for the routine, unless another engine has done it meanwhile. Returns whether
     * anything changed.
     */
    boolean reconcile(String reader) {
        reconciled.note(reader, settings.now());
        return attempt(reader, reconciled, () -> {
            Slice found = whole(reader);
            return isOld(found) && refresh(reader, found).isChange();
        });
    }

    private boolean isOld(Slice slice) {
        return settings.now() - slice.mark() >= everyMillis();
    }

    private long everyMillis() {
        return settings.reconcileInterval().toMillis();
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
        long age = settings.followeeAge().toMillis();
        return followees.authors().size() < settings.maxFollowees() ? age : Math.min(age, SHORTEST_AGE_OF_SOME_MILLIS);
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

    private Slice whole(String reader) {
        int cap = settings.limits().cap();
        return inbox.slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, cap, false)))
                .get(0);
    }

    private Slice settled(String reader, Slice found) {
        follows.finish(reader, found.pending());
        return whole(reader);
    }

    /** How a live inbox differs; empty if it is not live any more. */
    private Optional<InboxDifferences> differences(Slice slice, Set<String> followees) {
        return slice.state() == State.LIVE
                ? Optional.of(InboxDifferences.of(outbox, slice, followees, settings.limits()))
                : Optional.empty();
    }

    /**
     * Makes an inbox agree with the outboxes from its floor upwards. If not all posts were compared, the floor is
     * raised to the last post compared. A full inbox may store entries below those it serves. They were not compared,
     * so the floor is raised above them.
     */
    private Outcome agree(String reader, Slice slice, InboxDifferences found) {
        List<Post> missing = found.missing();
        boolean allShown = slice.posts().size() < settings.limits().cap();
        boolean insert = !missing.isEmpty() || !allShown;
        boolean inserted = insert && inserts.merge(reader, slice.generation(), missing, found.floor());
        return new Outcome(inserted ? missing.size() : 0, removeWrong(reader, slice, found));
    }

    /** Removes entries of authors who are not followed, and entries that are not where the outboxes have the post. */
    private int removeWrong(String reader, Slice slice, InboxDifferences found) {
        Set<String> strangers = found.notFollowed().stream().map(Post::author).collect(Collectors.toSet());
        if (!strangers.isEmpty()) {
            inbox.purge(reader, strangers, slice.epoch());
        }
        return found.notFollowed().size() + inserts.correct(reader, slice.generation(), found.wrong());
    }
}
