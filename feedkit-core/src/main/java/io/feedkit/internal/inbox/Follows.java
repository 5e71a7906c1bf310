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
 * Follow and unfollow, of one author or many, in an order that stays right whatever happens in between.
 *
 * <p>(1) Note the authors as pending: from now on readers load their followees afresh, and merge these authors'
 * outboxes. (2) Change the edges. (3) Let the inbox agree with the graph: purge what it holds of these authors, and
 * backfill those that are followed, down to the floor. (4) End the notes, under a new epoch, so that every engine loads
 * the followees afresh. A note ends only if it is still the one that was made: if another follow or unfollow of the
 * same author came in between, the inbox is made to agree once more. Follows of different authors have notes of their
 * own, and do not meet. A crash leaves the notes, and so a right if slower feed, until a refresh ends them.
 * Thread-safe.
 */
public final class Follows {

    /** How many authors are noted, changed and backfilled together. */
    private static final int AT_ONCE = 1000;

    /**
     * How often a change starts over when others follow and unfollow the same author at the same moment, before it
     * leaves the note to them.
     */
    private static final int ATTEMPTS = 100;

    /** Writes edges to the authors into the graph, and says of which that was news. */
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

    /** Follows authors, with whatever adds the edges; says of each whether that was news. */
    public List<Boolean> follow(String reader, List<String> authors, EdgeWrite add) {
        return change("follow", reader, authors, add, true);
    }

    /** Unfollows authors, with whatever removes the edges; says of each whether that was news. */
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

    /** All that follows the edges. Since they are written, whatever fails now leaves something done. */
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

    /** Ends what others began: lets both sides of the graph agree, and the inbox with the graph. */
    void finish(String reader, Collection<String> pending) {
        List<String> authors = List.copyOf(pending);
        long token = inbox.beginFollow(reader, authors);
        if (graph instanceof WritableFollowGraph graph) {
            graph.settle(
                    authors.stream().map(author -> new Edge(reader, author)).toList());
        }
        agree(reader, authors, token, graph.followed(reader, authors), Set.of());
    }

    /** Lets the inbox agree with the graph about some authors, and ends their notes. */
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
     * Inserts the authors' posts down to the floor; false if the inbox changed under its hands. When an inbox full of
     * them has been found the rest cannot matter, and the floor is raised to where that ends. It is raised to where
     * this view shows it in any case: entries stored below that would otherwise be served again when one above goes,
     * without the authors'.
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
