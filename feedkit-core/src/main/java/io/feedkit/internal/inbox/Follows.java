package io.feedkit.internal.inbox;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.event.FollowChanged;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Position;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Follow and unfollow, of one author or many. The order of the steps keeps feeds right if a step fails or another call
 * comes between.
 *
 * <p>(1) Record pending follows: from now on, reads load the followees afresh, and merge the outboxes of these authors.
 * (2) Change the edges. (3) Make the inbox agree with the graph: purge the entries of these authors, and backfill the
 * posts of followed ones, down to the floor. (4) End the pending follows under a new epoch, so that every engine loads
 * the followees afresh. A pending follow ends only if it still has the token of step 1. If another follow or unfollow
 * of the same author came between, steps 3 and 4 are repeated. Different authors have different pending follows, so
 * their follows do not disturb each other. After a crash the pending follows stay, and the feed is right but slower
 * until a refresh ends them. Thread-safe.
 */
public final class Follows {

    /** How many authors are handled together. */
    private static final int AT_ONCE = 1000;

    /**
     * How often a change starts over if others follow and unfollow the same author at the same time. After that it
     * leaves the pending follow to them.
     */
    private static final int ATTEMPTS = 100;

    /** Changes the edges to authors in the graph, and returns for each author whether the edge changed. */
    @FunctionalInterface
    public interface EdgeWrite extends Function<List<String>, List<Boolean>> {}

    private final EngineSettings settings;
    private final Inbox inbox;
    private final Outbox outbox;
    private final FollowGraph graph;
    private final CheckedInserts inserts;
    private final GuardedListener listener;

    public Follows(
            EngineSettings settings,
            Inbox inbox,
            Outbox outbox,
            FollowGraph graph,
            CheckedInserts inserts,
            GuardedListener listener) {
        this.settings = settings;
        this.inbox = inbox;
        this.outbox = outbox;
        this.graph = graph;
        this.inserts = inserts;
        this.listener = listener;
    }

    /** Follows authors; {@code add} adds the edges. Returns for each author whether the follow is new. */
    public List<Boolean> follow(String reader, List<String> authors, EdgeWrite add) {
        return change("follow", reader, authors, add, true);
    }

    /** Unfollows authors; {@code remove} removes the edges. Returns for each author whether the reader followed. */
    public List<Boolean> unfollow(String reader, List<String> authors, EdgeWrite remove) {
        return change("unfollow", reader, authors, remove, false);
    }

    private List<Boolean> change(
            String operation, String reader, List<String> authors, EdgeWrite write, boolean following) {
        List<Boolean> changed = new ArrayList<>(authors.size());
        for (int from = 0; from < authors.size(); from += AT_ONCE) {
            List<String> some = authors.subList(from, Math.min(authors.size(), from + AT_ONCE));
            try {
                long token = inbox.beginFollow(reader, some);
                List<Boolean> news = write.apply(some);
                changed.addAll(news);
                settle(operation, reader, some, token, following, changed(some, news));
            } catch (StoreUnavailableException e) {
                throw from == 0 ? e : new OutcomeUnknownException(operation, e);
            }
        }
        return changed;
    }

    private static Set<String> changed(List<String> authors, List<Boolean> news) {
        Set<String> changed = new HashSet<>();
        for (int i = 0; i < authors.size(); i++) {
            if (news.get(i)) {
                changed.add(authors.get(i));
            }
        }
        return changed;
    }

    /** The steps after the edges. The edges are written, so a failure from here on has an unknown outcome. */
    private void settle(
            String operation, String reader, List<String> authors, long token, boolean following, Set<String> changed) {
        try {
            Set<String> followed = following ? Set.copyOf(authors) : graph.followed(reader, authors);
            agree(reader, authors, token, followed, changed);
        } catch (StoreUnavailableException e) {
            throw new OutcomeUnknownException(operation, e);
        }
        for (String author : changed) {
            listener.tell(listener -> listener.followChanged(new FollowChanged(reader, author, following)));
        }
    }

    /** Finishes changes that others began: makes both sides of the graph agree, and the inbox agree with the graph. */
    void finish(String reader, Collection<String> pending) {
        List<String> authors = List.copyOf(pending);
        long token = inbox.beginFollow(reader, authors);
        if (graph instanceof WritableFollowGraph graph) {
            graph.settle(
                    authors.stream().map(author -> new Edge(reader, author)).toList());
        }
        agree(reader, authors, token, graph.followed(reader, authors), Set.of());
    }

    /** Makes the inbox agree with the graph about some authors, and ends their pending follows. */
    private void agree(String reader, List<String> authors, long begun, Set<String> found, Set<String> changed) {
        List<String> left = authors;
        long token = begun;
        Set<String> followed = found;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            inbox.purge(reader, left, token);
            if (backfill(reader, followed)) {
                Set<String> toggled = new HashSet<>(changed);
                toggled.retainAll(left);
                left = List.copyOf(inbox.endFollow(reader, left, token, FolloweeSet.checksum(toggled)));
                if (left.isEmpty()) {
                    return;
                }
                token = inbox.beginFollow(reader, left);
            }
            followed = graph.followed(reader, left);
        }
    }

    /**
     * Inserts the authors' posts down to the floor; returns false if the inbox was replaced meanwhile. If the posts
     * fill the inbox, older posts cannot matter, and the floor is raised to the lowest of them. The floor is in any
     * case raised to the one that this view shows. Otherwise entries stored below it would be served again when a
     * higher entry is removed, without the authors' posts there.
     */
    private boolean backfill(String reader, Set<String> authors) {
        if (authors.isEmpty()) {
            return true;
        }
        Slice slice = state(reader);
        if (slice.state() == State.ABSENT) {
            return true;
        }
        Position floor = slice.state() == State.LIVE ? slice.floor() : Position.LOWEST;
        int enough = settings.limits().stored() + 1;
        NewestPosts newest = NewestPosts.collect(outbox, authors, floor, enough);
        if (newest.posts().isEmpty() && newest.floor().equals(Position.LOWEST)) {
            return true;
        }
        return inserts.merge(reader, slice.generation(), newest.posts(), newest.floor());
    }

    private Slice state(String reader) {
        return inbox.slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, false)))
                .get(0);
    }
}
