package io.feedkit.internal.fanout.batch;

import io.feedkit.internal.host.EngineSettings;
import io.feedkit.internal.host.Interrupts;
import io.feedkit.internal.inbox.InboxBreaker;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the authors whose followers have inboxes. An author whose followers have none need not enter the pulled
 * register: an inbox that is built later, and a follow that begins later, reads the outbox. So the check must come
 * after the posts were appended. Thread-safe.
 */
public final class FollowersInboxes {

    /** Authors with more followers are not checked: some follower will have an inbox. */
    static final int MOST_FOLLOWERS = 200;

    /** The most authors that are checked together. */
    private static final int AUTHORS_AT_ONCE = 10;

    private final EngineSettings settings;
    private final FollowGraph graph;
    private final Inbox inbox;
    private final InboxBreaker breaker;

    public FollowersInboxes(EngineSettings settings, FollowGraph graph, Inbox inbox, InboxBreaker breaker) {
        this.settings = settings;
        this.graph = graph;
        this.inbox = inbox;
        this.breaker = breaker;
    }

    /** Returns the authors whose posts may belong in an inbox; all authors if that cannot be determined. */
    public Set<String> authorsWithAny(Collection<String> authors) {
        List<String> distinct = List.copyOf(new HashSet<>(authors));
        try {
            Set<String> found = new HashSet<>();
            for (int from = 0; from < distinct.size(); from += AUTHORS_AT_ONCE) {
                add(distinct.subList(from, Math.min(distinct.size(), from + AUTHORS_AT_ONCE)), found);
            }
            return found;
        } catch (Exception e) {
            Interrupts.keep(e);
            return Set.copyOf(distinct);
        }
    }

    private void add(List<String> authors, Set<String> found) {
        List<IdPage> pages = graph.followers(authors.stream()
                .map(author -> new FollowerQuery(author, KeyRange.ALL, "", MOST_FOLLOWERS))
                .toList());
        List<String> asked = new ArrayList<>();
        List<SliceQuery> queries = new ArrayList<>();
        for (int i = 0; i < authors.size(); i++) {
            String author = authors.get(i);
            if (pages.get(i).more()) {
                found.add(author);
                continue;
            }
            List<String> readers = new ArrayList<>(pages.get(i).ids());
            if (settings.followees().ownPosts()) {
                readers.add(author);
            }
            for (String reader : readers) {
                asked.add(author);
                queries.add(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, false));
            }
        }
        if (!queries.isEmpty()) {
            List<Inbox.Slice> slices = breaker.ask(() -> inbox.slice(queries));
            if (slices == null) {
                found.addAll(authors);
                return;
            }
            for (int i = 0; i < asked.size(); i++) {
                if (slices.get(i).state() != State.ABSENT) {
                    found.add(asked.get(i));
                }
            }
        }
    }
}
