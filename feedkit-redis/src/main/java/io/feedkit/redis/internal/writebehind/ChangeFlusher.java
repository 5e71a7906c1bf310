package io.feedkit.redis.internal.writebehind;

import io.feedkit.redis.internal.writebehind.ChangeCache.Listed;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterSource;
import io.feedkit.spi.counter.CounterSource.Done;
import io.feedkit.spi.counter.CounterSource.Held;
import io.feedkit.spi.counter.CounterSource.Late;
import io.feedkit.spi.counter.CounterSource.LateSet;
import io.feedkit.spi.counter.CounterSource.Written;
import io.feedkit.spi.counter.Owner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes pending changes to the source of truth. Any number of processes may do so at once, and end anywhere: each
 * change is written once.
 *
 * <p>A flush has four steps. It creates the missing rows of cells in the source. It claims the cached changes. It
 * writes them to the rows that nobody else wrote in between. It removes the changes from the pending ones, unless they
 * changed meanwhile.
 *
 * @param cache where the changes are
 * @param source where they are written
 */
record ChangeFlusher(ChangeCache cache, CounterSource source) {

    /** The most changes that are listed of each bucket at a time. */
    private static final int LISTED = 200;

    /** The most changes of one transaction. */
    private static final int AT_ONCE = 1000;

    /**
     * Writes the pending changes of now, except those that another process is writing. Returns how many cells and
     * members are no longer pending.
     */
    int flush() {
        int written = 0;
        while (true) {
            Listed pending = cache.list(LISTED);
            int now = 0;
            for (int from = 0; from < pending.items().size(); from += AT_ONCE) {
                now += flush(
                        pending.items().subList(from, Math.min(pending.items().size(), from + AT_ONCE)));
            }
            written += now;
            if (pending.all() || now == 0) {
                return written;
            }
        }
    }

    private int flush(Collection<CacheItem> items) {
        Set<CellKey> places = new HashSet<>();
        items.forEach(
                item -> places.add(item.type() == CacheItem.Type.CELL ? item.key() : new CellKey(item.owner(), "")));
        Map<CellKey, Written> opened = source.open(places);
        Held held = cache.claim(items, opened);
        Map<CellKey, Late> cells = new HashMap<>();
        Map<Owner, LateSet> members = new HashMap<>();
        for (CacheItem item : items) {
            Written written = opened.get(item.key());
            if (item.type() == CacheItem.Type.MEMBER) {
                Written set = opened.getOrDefault(new CellKey(item.owner(), ""), Written.NONE);
                WriteBehindCounters.heldMember(held, item)
                        .ifPresent(member -> members.computeIfAbsent(
                                        item.owner(), none -> new LateSet(set, new ArrayList<>()))
                                .members()
                                .add(member));
            } else if (written != null && held.cells().containsKey(item.key())) {
                cells.put(item.key(), new Late(written, held.cells().get(item.key())));
            }
        }
        Done done = source.write(cells, members);
        List<CacheItem> written =
                items.stream().filter(item -> !isPending(item, held, done)).toList();
        return (int) cache.written(written, held).stream().filter(gone -> gone).count();
    }

    /** A change that is no longer cached is no longer pending. */
    private static boolean isPending(CacheItem item, Held held, Done done) {
        return item.type() == CacheItem.Type.CELL
                ? held.cells().containsKey(item.key()) && !done.cells().contains(item.key())
                : WriteBehindCounters.heldMember(held, item).isPresent()
                        && !done.sets().contains(item.owner());
    }
}
