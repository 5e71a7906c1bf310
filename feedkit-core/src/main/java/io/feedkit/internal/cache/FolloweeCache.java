package io.feedkit.internal.cache;

import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.Inbox.Slice;
import java.time.Clock;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Whom readers follow, remembered while the follow epoch stays the same, and no store has noticed that it may have lost
 * the latest ones, but never longer than an age limit: a host may have changed its own graph and told nobody. A set is
 * kept only if it was loaded after the epoch was read and no follow was pending then, so that no edge added or removed
 * under that epoch can be missing. Bounded by the total number of ids, least recently used first out. Thread-safe.
 */
public final class FolloweeCache {

    private static final int PAGE = 1000;

    private record Known(long epoch, long at, FolloweeSet set) {
        int weight() {
            return set.authors().size() + 1;
        }
    }

    private final FollowGraph graph;
    private final Clock clock;
    private final boolean ownPosts;
    private final int maxIds;
    private final long ageMillis;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<String, Known> known = new LinkedHashMap<>(16, 0.75f, true);
    private int ids;
    private final AtomicLong clears = new AtomicLong();

    public FolloweeCache(FollowGraph graph, EngineSettings settings) {
        this.graph = graph;
        this.clock = settings.clock();
        this.ownPosts = settings.ownPosts();
        this.maxIds = settings.followeeCache();
        this.ageMillis = settings.followeeAge().toMillis();
    }

    /** The authors whose posts belong into the reader's feed, given a slice just read. */
    public FolloweeSet of(String reader, Slice slice) {
        boolean cacheable = slice.epoch() != 0 && slice.pending().isEmpty();
        long clearsBefore = clears.get();
        long now = clock.millis();
        if (cacheable) {
            Known hit = find(reader);
            if (hit != null && hit.epoch() == slice.epoch() && isYoung(hit, now)) {
                return hit.set();
            }
        }
        FolloweeSet set = load(reader);
        if (cacheable) {
            keep(reader, new Known(slice.epoch(), now, set), clearsBefore);
        }
        return set;
    }

    private boolean isYoung(Known hit, long now) {
        return hit.at() <= now && now - hit.at() < ageMillis;
    }

    /** Whom the reader followed when that was last remembered; nobody if it was not. */
    public FolloweeSet remembered(String reader) {
        Known hit = find(reader);
        return hit == null ? FolloweeSet.NOBODY : hit.set();
    }

    /** The same, straight from the graph. */
    public FolloweeSet load(String reader) {
        Set<String> followees = new HashSet<>();
        String after = "";
        IdPage page;
        do {
            page = graph.followees(reader, after, PAGE);
            followees.addAll(page.ids());
            if (page.more()) {
                after = page.ids().get(page.ids().size() - 1);
            }
        } while (page.more());
        FolloweeSet set = FolloweeSet.of(followees);
        if (ownPosts && followees.add(reader)) {
            return new FolloweeSet(Set.copyOf(followees), set.checksum());
        }
        return set;
    }

    /** Whether the reader follows anybody. */
    public boolean any(String reader) {
        return !graph.followees(reader, "", 1).ids().isEmpty();
    }

    /** How many ids are remembered. */
    int size() {
        lock.lock();
        try {
            return known.values().stream().mapToInt(Known::weight).sum();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Known find(String reader) {
        lock.lock();
        try {
            return known.get(reader);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Forgets everything: the store may have lost the latest epochs. Sets that are being loaded now are not kept
     * either.
     */
    public void clear() {
        lock.lock();
        try {
            clears.incrementAndGet();
            known.clear();
            ids = 0;
        } finally {
            lock.unlock();
        }
    }

    private void keep(String reader, Known loaded, long clearsBefore) {
        if (loaded.weight() > maxIds) {
            return;
        }
        lock.lock();
        try {
            if (clears.get() != clearsBefore) {
                return;
            }
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
