package io.feedkit.internal;

import io.feedkit.Post;
import io.feedkit.event.InboxRefreshed;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * Reconciles live inboxes with the outboxes: inserts what is missing at or above the floor, takes out what was deleted or is of authors not followed any more.
 *
 * <p>The cheap variant, which first-page reads run now and then, looks only at authors who have appended since the inbox's mark. The mark counts by when a post
 * was appended, not by the time it bears, and is taken before anything is looked at, so nothing can slip in behind it. Thread-safe.
 */
public final class InboxRefresher {

    /** What a refresh changed. */
    public record Outcome(int added, int removed) {}

    private final Parts parts;
    private final InboxBuilder builder;
    private final Follows follows;
    private final Semaphore permits;
    private final RecentReaders reconciled = new RecentReaders();

    public InboxRefresher(Parts parts, InboxBuilder builder, Follows follows) {
        this.parts = parts;
        this.builder = builder;
        this.follows = follows;
        permits = new Semaphore(parts.settings().concurrentRebuilds());
    }

    /** Reconciles everything above the floor; builds the inbox if there is none. */
    public Outcome refresh(String reader) {
        Slice found = whole(reader);
        if (found.state() != State.LIVE) {
            builder.build(reader, false);
            return new Outcome(0, 0);
        }
        long mark = parts.outbox().settledMark();
        Slice slice = found;
        Set<String> followees = parts.followees().load(reader);
        if (finishFollows(reader, found, followees)) {
            // Followees read before the slice might lack one whose entries it holds, and purge them under an epoch that
            // is still good.
            slice = whole(reader);
            followees = parts.followees().load(reader);
        }
        Outcome outcome = new Outcome(insertMissing(reader, slice, followees), removeStale(reader, slice, followees));
        parts.inbox().complete(reader, slice.generation(), mark);
        parts.events()
                .tell(listener -> listener.refreshed(
                        new InboxRefreshed(reader, outcome.added(), outcome.removed(), isDoubted(found))));
        return outcome;
    }

    /** Runs the cheap variant if the inbox's mark is too old, or refreshes it if it is doubted, and says whether that changed anything. */
    boolean reconcileIfDue(String reader, Slice slice) {
        long every = parts.settings().reconcileEvery().toMillis();
        long now = parts.now();
        if (parts.settings().fanout().workers() == 0) {
            parts.doubts().notice();
        }
        if (isDoubted(slice)) {
            return wasNotRefreshedSince(reader, now, every) && refreshDoubted(reader);
        }
        return now - slice.mark() >= every && reconciled.isDue(reader, now, every) && reconcile(reader, slice);
    }

    private boolean isDoubted(Slice slice) {
        return parts.doubts().concernInbox(slice.mark());
    }

    private boolean wasNotRefreshedSince(String reader, long now, long every) {
        return reconciled.isDue(
                reader, now, Math.min(every, now - parts.doubts().refreshSince(now) + 1));
    }

    /**
     * All of it: follows and retractions may be lost, too, and there is no telling of which authors. As many at a time as inboxes are rebuilt, since all may be doubted at once: who comes
     * beyond is served what there is, and refreshed at a later read.
     */
    private boolean refreshDoubted(String reader) {
        if (!permits.tryAcquire()) {
            reconciled.forget(reader);
            return false;
        }
        try {
            Outcome outcome = refresh(reader);
            return outcome.added() + outcome.removed() > 0;
        } catch (RuntimeException e) {
            reconciled.forget(reader);
            throw e;
        } finally {
            permits.release();
        }
    }

    private boolean reconcile(String reader, Slice slice) {
        long mark = parts.outbox().settledMark();
        Set<String> followees = parts.followees().load(reader);
        finishFollows(reader, slice, followees);
        Set<String> appended = new HashSet<>();
        parts.outbox().lastAppended(followees).forEach((author, at) -> {
            if (at >= slice.mark()) {
                appended.add(author);
            }
        });
        int added = insertMissing(reader, whole(reader), appended);
        parts.inbox().complete(reader, slice.generation(), mark);
        parts.events().tell(listener -> listener.refreshed(new InboxRefreshed(reader, added, 0, false)));
        return added > 0;
    }

    private Slice whole(String reader) {
        int cap = parts.settings().limits().cap();
        return parts.inbox()
                .slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, cap, false)))
                .get(0);
    }

    private boolean finishFollows(String reader, Slice slice, Set<String> followees) {
        for (String author : slice.pending()) {
            if (followees.contains(author)) {
                follows.complete(reader, author);
            } else {
                parts.inbox().recordUnfollow(reader, author);
            }
        }
        return !slice.pending().isEmpty();
    }

    /**
     * Inserts posts of these authors that the inbox lacks. More posts than an inbox can hold need not be looked at: the newest of them fill it, and the floor is
     * raised to where looking stopped. A full inbox may store more below what it serves: nobody looked there, so the floor is raised above it.
     */
    private int insertMissing(String reader, Slice slice, Set<String> authors) {
        if (authors.isEmpty() || slice.state() != State.LIVE) {
            return 0;
        }
        int enough = parts.settings().limits().stored() + 1;
        List<Post> should = parts.outbox()
                .page(new PageQuery(authors, PositionRange.from(slice.floor()), Order.NEWEST_FIRST, enough));
        Set<Post> held = new HashSet<>(slice.posts());
        List<Post> missing =
                should.stream().filter(post -> !held.contains(post)).toList();
        Position floor = should.size() < enough ? slice.floor() : Position.of(should.get(enough - 1));
        boolean allShown = slice.posts().size() < parts.settings().limits().cap();
        if (missing.isEmpty() && allShown) {
            return 0;
        }
        if (!parts.inbox().merge(reader, slice.generation(), missing, floor)) {
            return 0;
        }
        Tombstones.retractDeleted(parts, reader, missing);
        return missing.size();
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
        strangers.forEach(author -> parts.inbox().purge(reader, author, slice.epoch()));
        int deleted = Tombstones.retractDeleted(parts, reader, followed);
        return slice.posts().size() - followed.size() + deleted;
    }
}
