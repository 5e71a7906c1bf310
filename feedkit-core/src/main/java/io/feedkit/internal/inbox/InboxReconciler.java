package io.feedkit.internal.inbox;

import io.feedkit.Post;
import io.feedkit.event.InboxRefreshed;
import io.feedkit.internal.cache.FolloweeCache;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.cache.RecentReaders;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Reconciles live inboxes with the outboxes and the follow graph. It inserts missing posts at or above the floor. It
 * takes out deleted posts, and posts of authors who are not followed any more.
 *
 * <p>The cheap variant, which first-page reads run now and then, looks only at authors who have appended since the
 * inbox's mark. The mark is a time of appends, not of the posts' own times. It is taken before the first look, so no
 * append can be missed. This is enough while the reader's followees are those of the last reconciliation; the inbox
 * keeps a checksum of them. If the checksum differs, the engine was not told of a follow or unfollow, or one was cut
 * short. Then all followees are looked at. Thread-safe.
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
            Follows follows) {
        this.settings = settings;
        this.inbox = inbox;
        this.outbox = outbox;
        this.followeeCache = followeeCache;
        this.listener = listener;
        this.losses = losses;
        this.inserts = inserts;
        this.builder = builder;
        this.follows = follows;
        permits = new Semaphore(settings.concurrentRebuilds());
    }

    /** Reconciles everything above the floor; builds the inbox if there is none. */
    public Outcome refresh(String reader) {
        Slice found = whole(reader);
        if (found.state() != State.LIVE) {
            builder.build(reader, false);
            return new Outcome(0, 0);
        }
        long mark = outbox.settledMark();
        Slice slice = found;
        if (!found.pending().isEmpty()) {
            follows.finish(reader, found.pending());
            slice = whole(reader);
        }
        // The followees must be loaded after the slice. Otherwise they might lack a followee whose entries the slice
        // holds, and the refresh would purge these entries under an epoch that is still valid.
        FolloweeSet followees = followeeCache.load(reader);
        Outcome outcome = new Outcome(
                insertMissing(reader, slice, followees.authors()), removeStale(reader, slice, followees.authors()));
        inbox.complete(reader, slice.generation(), mark, followees.checksum());
        listener.tell(listener -> listener.refreshed(
                new InboxRefreshed(reader, outcome.added(), outcome.removed(), mayLackDeliveries(found))));
        return outcome;
    }

    /**
     * Runs the cheap variant if the inbox's mark is too old. Refreshes the inbox after a suspected loss, or if it was
     * made for other followees. Returns whether anything changed.
     */
    public boolean reconcileIfDue(String reader, Slice slice, Supplier<FolloweeSet> followees) {
        long every = settings.reconcileInterval().toMillis();
        long now = settings.now();
        if (settings.fanout().workers() == 0) {
            losses.notice();
        }
        if (mayLackDeliveries(slice)) {
            return wasNotRefreshedSince(reader, now, every) && refreshIfPermitted(reader, reconciled);
        }
        if (isOfOthers(slice, followees) && compared.isDue(reader, now, shortestAge(followees.get()))) {
            return refreshIfPermitted(reader, compared);
        }
        return now - slice.mark() >= every
                && reconciled.isDue(reader, now, every)
                && attempt(reader, reconciled, () -> reconcile(reader, slice));
    }

    private boolean mayLackDeliveries(Slice slice) {
        return losses.concernInbox(slice.mark());
    }

    /**
     * Whether the reader's followees differ from those of the last reconciliation. While a follow is pending, the
     * answer is false.
     */
    private static boolean isOfOthers(Slice slice, Supplier<FolloweeSet> followees) {
        return slice.pending().isEmpty() && followees.get().checksum() != slice.followees();
    }

    /**
     * The shortest time between two comparisons of an inbox. Engines may see different graphs, for example replicas
     * that lag; without this limit they would refresh the inbox at every page. It is shorter for a reader who follows
     * as many as are read, or more: an unfollow lets in another author, whose posts are missing.
     */
    private long shortestAge(FolloweeSet followees) {
        long age = settings.followeeAge().toMillis();
        return followees.authors().size() < settings.maxFollowees() ? age : Math.min(age, SHORTEST_AGE_OF_SOME_MILLIS);
    }

    private boolean wasNotRefreshedSince(String reader, long now, long every) {
        return reconciled.isDue(reader, now, Math.min(every, now - losses.refreshSince(now) + 1));
    }

    /**
     * Refreshes the whole inbox: follows and retractions of any author may be lost, too. At most
     * {@code concurrentRebuilds} inboxes are refreshed at a time, because all may be concerned at once. Without a
     * permit, the read gets the inbox as it is, and a later read refreshes it.
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

    /** Does upkeep that is not repeated for a while. If it fails, it is due again. */
    private static boolean attempt(String reader, RecentReaders done, BooleanSupplier upkeep) {
        try {
            return upkeep.getAsBoolean();
        } catch (Exception e) {
            done.forget(reader);
            throw e;
        }
    }

    private boolean reconcile(String reader, Slice slice) {
        long mark = outbox.settledMark();
        FolloweeSet followees = followeeCache.load(reader);
        if (!slice.pending().isEmpty() || followees.checksum() != slice.followees()) {
            return refresh(reader).isChange();
        }
        Set<String> appended = new HashSet<>();
        outbox.lastAppended(followees.authors()).forEach((author, at) -> {
            if (at >= slice.mark()) {
                appended.add(author);
            }
        });
        int added = insertMissing(reader, whole(reader), appended);
        inbox.complete(reader, slice.generation(), mark, followees.checksum());
        listener.tell(listener -> listener.refreshed(new InboxRefreshed(reader, added, 0, false)));
        return added > 0;
    }

    private Slice whole(String reader) {
        int cap = settings.limits().cap();
        return inbox.slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, cap, false)))
                .get(0);
    }

    /**
     * Inserts posts of these authors that the inbox lacks. More posts than an inbox can hold need not be looked at: the
     * newest of them fill it, and the floor is raised to the last post looked at. A full inbox may store entries below
     * those it serves. They were not looked at, so the floor is raised above them.
     */
    private int insertMissing(String reader, Slice slice, Set<String> authors) {
        if (authors.isEmpty() || slice.state() != State.LIVE) {
            return 0;
        }
        int enough = settings.limits().stored() + 1;
        List<Post> should =
                outbox.page(new PageQuery(authors, PositionRange.from(slice.floor()), Order.NEWEST_FIRST, enough));
        Set<Post> held = new HashSet<>(slice.posts());
        List<Post> missing =
                should.stream().filter(post -> !held.contains(post)).toList();
        Position floor = should.size() < enough ? slice.floor() : Position.of(should.get(enough - 1));
        boolean allShown = slice.posts().size() < settings.limits().cap();
        if (missing.isEmpty() && allShown) {
            return 0;
        }
        return inserts.merge(reader, slice.generation(), missing, floor) ? missing.size() : 0;
    }

    private int removeStale(String reader, Slice slice, Set<String> followees) {
        List<Post> followed = new ArrayList<>();
        Set<String> strangers = new HashSet<>();
        for (Post post : slice.posts()) {
            if (followees.contains(post.author())) {
                followed.add(post);
            } else {
                strangers.add(post.author());
            }
        }
        strangers.removeAll(slice.pending());
        if (!strangers.isEmpty()) {
            inbox.purge(reader, strangers, slice.epoch());
        }
        int deleted = inserts.retractDeleted(reader, followed);
        return slice.posts().size() - followed.size() + deleted;
    }
}
