package io.feedkit.internal.inbox;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.event.FollowChanged;
import io.feedkit.internal.cache.FolloweeSet;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.internal.signal.FeedSignals;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
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
     * How often a change is tried if other calls follow and unfollow the same author at the same time. After that it
     * leaves the pending follow to those calls.
     */
    private static final int ATTEMPTS = 100;

    /** Changes the edges to authors in the graph, and returns for each author whether the edge changed. */
    @FunctionalInterface
    public interface EdgeWrite extends Function<List<String>, List<Boolean>> {}

    private final Inbox inbox;
    private final FollowGraph graph;
    private final Backfill backfill;
    private final GuardedListener listener;
    private final FeedSignals signals;

    public Follows(Inbox inbox, FollowGraph graph, Backfill backfill, GuardedListener listener, FeedSignals signals) {
        this.inbox = inbox;
        this.graph = graph;
        this.backfill = backfill;
        this.listener = listener;
        this.signals = signals;
    }

    /**
     * Follows authors; {@code add} adds the edges. Returns for each author whether the follow is new: false for the
     * reader, and for repetitions.
     */
    public List<Boolean> follow(String reader, List<String> authors, EdgeWrite add) {
        return each(reader, authors, others -> change("follow", reader, others, add, true));
    }

    /**
     * Unfollows authors; {@code remove} removes the edges. Returns for each author whether the reader followed: false
     * for the reader, and for repetitions.
     */
    public List<Boolean> unfollow(String reader, List<String> authors, EdgeWrite remove) {
        return each(reader, authors, others -> change("unfollow", reader, others, remove, false));
    }

    /**
     * Follows authors whose edges the host has written into its own graph. Edges that the graph does not have, because
     * they are not committed or are removed again, count as not followed.
     *
     * @return the changes that the graph has; the caller passes them to {@link #notifyListener} when it holds no lock
     */
    public List<FollowChanged> followed(String reader, Collection<String> authors) {
        return reported("followed", reader, authors, true);
    }

    /** Unfollows authors whose edges the host has removed from its own graph, as {@link #followed} follows them. */
    public List<FollowChanged> unfollowed(String reader, Collection<String> authors) {
        return reported("unfollowed", reader, authors, false);
    }

    /**
     * Notifies the listener of changes. The caller must hold no lock, because a listener may block or call the engine.
     */
    public void notifyListener(Collection<FollowChanged> changes) {
        changes.forEach(change -> listener.notify(listener -> listener.followChanged(change)));
    }

    private List<FollowChanged> reported(
            String operation, String reader, Collection<String> authors, boolean following) {
        Set<String> distinct = new LinkedHashSet<>(authors);
        distinct.remove(reader);
        List<String> others = List.copyOf(distinct);
        List<FollowChanged> changes = new ArrayList<>();
        for (int from = 0; from < others.size(); from += AT_ONCE) {
            List<String> some = others.subList(from, Math.min(others.size(), from + AT_ONCE));
            try {
                long token = inbox.beginFollow(reader, some);
                Set<String> followed = followedNow(operation, reader, some);
                Set<String> changed = new LinkedHashSet<>(some);
                changed.removeIf(author -> followed.contains(author) != following);
                agreeAfter(operation, reader, some, token, followed, changed);
                signals.follows(reader, changed, following);
                changed.forEach(author -> changes.add(FollowChanged.of(reader, author, following)));
            } catch (StoreUnavailableException e) {
                throw from == 0 ? e : new OutcomeUnknownException(operation, e);
            }
        }
        return changes;
    }

    /** Applies a change to the authors other than the reader, each once. */
    private static List<Boolean> each(String reader, List<String> authors, EdgeWrite change) {
        Set<String> others = new LinkedHashSet<>(authors);
        others.remove(reader);
        Iterator<Boolean> changed = change.apply(List.copyOf(others)).iterator();
        List<Boolean> answers = new ArrayList<>(authors.size());
        authors.forEach(author -> answers.add(others.remove(author) && changed.next()));
        return answers;
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

    /** Takes the steps after the change of the edges. */
    private void settle(
            String operation, String reader, List<String> authors, long token, boolean following, Set<String> changed) {
        Set<String> followed = following ? Set.copyOf(authors) : followedNow(operation, reader, authors);
        agreeAfter(operation, reader, authors, token, followed, changed);
        report(reader, changed, following);
    }

    /** Reports changes that are in effect to live feeds and the listener. */
    public void report(String reader, Set<String> changed, boolean following) {
        signals.follows(reader, changed, following);
        notifyListener(changed.stream()
                .map(author -> FollowChanged.of(reader, author, following))
                .toList());
    }

    /** The edges are written, so a failure from here on has an unknown outcome. */
    private Set<String> followedNow(String operation, String reader, List<String> authors) {
        try {
            return graph.followed(reader, authors);
        } catch (StoreUnavailableException e) {
            throw new OutcomeUnknownException(operation, e);
        }
    }

    private void agreeAfter(
            String operation,
            String reader,
            List<String> authors,
            long token,
            Set<String> followed,
            Set<String> changed) {
        try {
            agree(reader, authors, token, followed, changed);
        } catch (StoreUnavailableException e) {
            throw new OutcomeUnknownException(operation, e);
        }
    }

    /**
     * Finishes changes that other calls began: makes both sides of the graph agree, and the inbox agree with the graph.
     */
    public void finish(String reader, Collection<String> pending) {
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
        long toggled = FolloweeSet.checksum(changed);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            inbox.purge(reader, left, token);
            if (backfill.insert(reader, followed)) {
                left = List.copyOf(inbox.endFollow(reader, left, token, toggled));
                if (left.isEmpty()) {
                    return;
                }
                token = inbox.beginFollow(reader, left);
                // It is no longer known which of the changes the checksum includes. A wrong checksum leads to a
                // refresh.
                toggled = ThreadLocalRandom.current().nextLong();
            }
            followed = graph.followed(reader, left);
        }
    }
}
