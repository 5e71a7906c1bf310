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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Caches the followees of readers while the follow epoch stays the same. The cache is cleared when a store suspects
 * that it lost the latest epochs. A set is never kept longer than an age limit, because a host may have changed its own
 * graph without reporting it to the engine. A set is kept only if it was loaded after the epoch was read, and no follow
 * was pending at that moment. So no edge added or removed under that epoch can be missing. The cache is bounded by the
 * total number of ids; the least recently used set is evicted first. Readers who follow very many authors have a
 * separate part of the cache, so that they do not displace other readers. That part always keeps one set, of any size.
 * Thread-safe.
 */
public final class FolloweeCache {

    private static final int PAGE = 1000;

    private record Known(long epoch, long at, FolloweeSet set) {
        int weight() {
            return set.authors().size() + 1;
        }
    }

    /**
     * A quarter of all ids is for large sets. A set is large if it has more than a quarter of the ids for usual sets.
     */
    private static final int LARGE_SHARE = 4;

    /** Sets with at most {@code maxIds} ids in total; {@code kept} sets are kept in any case. */
    private static final class Part {

        private final int maxIds;
        private final int kept;
        private final LinkedHashMap<String, Known> known = new LinkedHashMap<>(16, 0.75f, true);
        private long ids;

        Part(int maxIds, int kept) {
            this.maxIds = maxIds;
            this.kept = maxIds > 0 ? kept : 0;
        }

        void put(String reader, Known loaded) {
            remove(reader);
            known.put(reader, loaded);
            ids += loaded.weight();
            Iterator<Map.Entry<String, Known>> eldest = known.entrySet().iterator();
            while (ids > maxIds && known.size() > kept) {
                ids -= eldest.next().getValue().weight();
                eldest.remove();
            }
        }

        void remove(String reader) {
            Known removed = known.remove(reader);
            ids -= removed == null ? 0 : removed.weight();
        }

        void clear() {
            known.clear();
            ids = 0;
        }
    }

    private final FollowGraph graph;
    private final Clock clock;
    private final boolean ownPosts;
    private final int maxFollowees;
    private final long ageMillis;
    private final ReentrantLock lock = new ReentrantLock();
    private final Part usual;
    private final Part large;
    private final AtomicLong clears = new AtomicLong();

    public FolloweeCache(FollowGraph graph, EngineSettings settings) {
        this.graph = graph;
        this.clock = settings.clock();
        this.ownPosts = settings.followees().ownPosts();
        this.maxFollowees = settings.followees().most();
        this.large = new Part(settings.followees().cached() / LARGE_SHARE, 1);
        this.usual = new Part(settings.followees().cached() - large.maxIds, 0);
        this.ageMillis = settings.followees().maxAge().toMillis();
    }

    /** The authors whose posts belong in the reader's feed, given a slice just read. */
    public FolloweeSet of(String reader, Slice slice) {
        long clearsBefore = clears.get();
        long now = clock.millis();
        Optional<FolloweeSet> held = held(reader, slice);
        if (held.isPresent()) {
            return held.get();
        }
        FolloweeSet set = load(reader);
        if (isCacheable(slice)) {
            keep(reader, new Known(slice.epoch(), now, set), clearsBefore);
        }
        return set;
    }

    private static boolean isCacheable(Slice slice) {
        return slice.epoch() != 0 && slice.pending().isEmpty();
    }

    /** The followees that {@link #of} returns without loading them; empty if it loads them. */
    public Optional<FolloweeSet> held(String reader, Slice slice) {
        Known hit = isCacheable(slice) ? find(reader) : null;
        return hit != null && hit.epoch() == slice.epoch() && isYoung(hit, clock.millis())
                ? Optional.of(hit.set())
                : Optional.empty();
    }

    private boolean isYoung(Known hit, long now) {
        return hit.at() <= now && now - hit.at() < ageMillis;
    }

    /** The cached followees of a reader, of any age; the empty set if none are cached. */
    public FolloweeSet remembered(String reader) {
        Known hit = find(reader);
        return hit == null ? FolloweeSet.NOBODY : hit.set();
    }

    /** The reader's cached followees of any age, if their epoch is that of the slice. For pages that may be stale. */
    public Optional<FolloweeSet> remembered(String reader, Slice slice) {
        Known hit = find(reader);
        return hit != null && hit.epoch() == slice.epoch() && slice.pending().isEmpty()
                ? Optional.of(hit.set())
                : Optional.empty();
    }

    /** The authors whose posts belong in the reader's feed, loaded from the graph. */
    public FolloweeSet load(String reader) {
        Set<String> followees = new HashSet<>();
        String after = "";
        boolean more = true;
        while (more && followees.size() < maxFollowees) {
            IdPage page = graph.followees(reader, after, Math.min(PAGE, maxFollowees - followees.size()));
            followees.addAll(page.ids());
            more = page.more();
            after = more ? page.ids().get(page.ids().size() - 1) : after;
        }
        long checksum = FolloweeSet.checksum(followees);
        if (ownPosts) {
            followees.add(reader);
        }
        return new FolloweeSet(Set.copyOf(followees), checksum, !more);
    }

    /** Whether the reader follows anybody. */
    public boolean any(String reader) {
        return !graph.followees(reader, "", 1).ids().isEmpty();
    }

    /** How many ids are cached. */
    long size() {
        lock.lock();
        try {
            return usual.ids + large.ids;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Known find(String reader) {
        lock.lock();
        try {
            Known found = usual.known.get(reader);
            return found == null ? large.known.get(reader) : found;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Clears the cache, because the store may have lost the latest epochs. Sets that are being loaded now are not kept
     * either.
     */
    public void clear() {
        lock.lock();
        try {
            clears.incrementAndGet();
            usual.clear();
            large.clear();
        } finally {
            lock.unlock();
        }
    }

    private void keep(String reader, Known loaded, long clearsBefore) {
        boolean isLarge = loaded.weight() > usual.maxIds / LARGE_SHARE;
        lock.lock();
        try {
            if (clears.get() == clearsBefore) {
                (isLarge ? usual : large).remove(reader);
                (isLarge ? large : usual).put(reader, loaded);
            }
        } finally {
            lock.unlock();
        }
    }
}
