package io.feedkit.internal;

import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.Inbox.Slice;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Whom readers follow, remembered while the follow epoch stays the same, and no store has noticed that it may have lost the latest ones. A set is kept only if it was loaded after the epoch was read and no follow was
 * pending then, so that no edge added or removed under that epoch can be missing. Bounded by the total number of ids, least recently used first out.
 * Thread-safe.
 */
public final class Followees {

    private static final int PAGE = 1000;

    private record Known(long epoch, long doubts, Set<String> authors) {
        int weight() {
            return authors.size() + 1;
        }
    }

    private final FollowGraph graph;
    private final Doubts doubts;
    private final boolean ownPosts;
    private final int maxIds;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<String, Known> known = new LinkedHashMap<>(16, 0.75f, true);
    private int ids;

    public Followees(FollowGraph graph, Settings settings, Doubts doubts) {
        this.graph = graph;
        this.doubts = doubts;
        this.ownPosts = settings.ownPosts();
        this.maxIds = settings.followeeCache();
    }

    /** The authors whose posts belong into the reader's feed, given a slice just read. */
    Set<String> of(String reader, Slice slice) {
        boolean cacheable = slice.epoch() != 0 && slice.pending().isEmpty();
        long doubtsNow = doubts.before();
        if (cacheable) {
            Known hit = find(reader);
            if (hit != null && hit.epoch() == slice.epoch() && hit.doubts() == doubtsNow) {
                return hit.authors();
            }
        }
        Set<String> authors = load(reader);
        if (cacheable) {
            keep(reader, new Known(slice.epoch(), doubtsNow, authors));
        }
        return authors;
    }

    /** Whom the reader followed when that was last remembered; nobody if it was not. */
    Set<String> remembered(String reader) {
        Known hit = find(reader);
        return hit == null ? Set.of() : hit.authors();
    }

    /** The same, straight from the graph. */
    Set<String> load(String reader) {
        Set<String> authors = new HashSet<>();
        String after = "";
        IdPage page;
        do {
            page = graph.followees(reader, after, PAGE);
            authors.addAll(page.ids());
            if (page.more()) {
                after = page.ids().get(page.ids().size() - 1);
            }
        } while (page.more());
        if (ownPosts) {
            authors.add(reader);
        }
        return Set.copyOf(authors);
    }

    private @Nullable Known find(String reader) {
        lock.lock();
        try {
            return known.get(reader);
        } finally {
            lock.unlock();
        }
    }

    private void keep(String reader, Known loaded) {
        if (loaded.weight() > maxIds) {
            return;
        }
        lock.lock();
        try {
            Known replaced = known.put(reader, loaded);
            ids += loaded.weight() - (replaced == null ? 0 : replaced.weight());
            Iterator<Map.Entry<String, Known>> eldest = known.entrySet().iterator();
            while (ids > maxIds) {
                ids -= eldest.next().getValue().weight();
                eldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }
}
