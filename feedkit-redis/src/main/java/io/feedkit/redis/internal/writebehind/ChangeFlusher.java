package io.feedkit.redis.internal.writebehind;

import io.feedkit.StoreUnavailableException;
import io.feedkit.redis.internal.writebehind.ChangeCache.Claim;
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
import java.util.stream.Stream;

/**
 * Writes pending changes to the source of truth. Any number of processes may do so at once, and may end at any point:
 * each change is written once.
 *
 * <p>A flush walks through all pending changes, in pages. A page has four steps. The first creates the missing rows of
 * cells in the source. The second claims the cached changes. The third writes them to the rows that no other flush
 * wrote in between. The last removes the changes from the pending ones, unless they changed meanwhile. If another flush
 * wrote a row in between, it may have written an older claim. So the four steps are repeated for that row.
 *
 * @param cache where the changes are
 * @param source where they are written
 */
record ChangeFlusher(ChangeCache cache, CounterSource source) {

    /** About how many changes are listed of each bucket at a time. */
    private static final int LISTED = 200;

    /** The most changes of one transaction. */
    private static final int AT_ONCE = 1000;

    /** How often a row is tried while others write it, or while its owner is being forgotten. */
    private static final int ROUNDS = 1000;

    /** The pause between two tries while the owner is being forgotten. */
    private static final long PAUSE_MILLIS = 1;

    /**
     * Writes all changes that are pending at the call. Returns how many cells and members are no longer pending.
     *
     * @throws StoreUnavailableException if others wrote the same row in each of 1000 rounds, or an owner is being
     *     forgotten for longer than a second; all other changes are written then
     */
    int flush() {
        int written = 0;
        List<CacheItem> forgotten = new ArrayList<>();
        Map<Integer, String> from = ChangeCache.BEGINNING;
        while (!from.isEmpty()) {
            Listed pending = cache.list(from, LISTED);
            written += writeAll(pending.items(), forgotten);
            from = pending.next();
        }
        for (int round = 0; !forgotten.isEmpty(); round++) {
            await(round, forgotten);
            List<CacheItem> again = List.copyOf(forgotten);
            forgotten.clear();
            written += writeAll(again, forgotten);
        }
        return written;
    }

    /** Writes changes, except those of owners who are being forgotten, which it adds to a list. */
    private int writeAll(List<CacheItem> items, List<CacheItem> forgotten) {
        int written = 0;
        for (int at = 0; at < items.size(); at += AT_ONCE) {
            List<CacheItem> left = items.subList(at, Math.min(items.size(), at + AT_ONCE));
            for (int round = 0; !left.isEmpty(); round++) {
                requireRound(round, left);
                RoundResult done = runRound(left, source);
                written += (int) cache.written(done.written(), done.held()).stream()
                        .filter(gone -> gone)
                        .count();
                forgotten.addAll(done.forgotten());
                left = done.left();
            }
        }
        return written;
    }

    private static void requireRound(int round, List<CacheItem> left) {
        if (round == ROUNDS) {
            throw new StoreUnavailableException(
                    "counterStore.flush",
                    new IllegalStateException("other flushes wrote " + left.get(0) + " " + ROUNDS + " times: retry"));
        }
    }

    /** Waits a little, because the owners of some items are being forgotten. */
    private static void await(int round, List<CacheItem> forgotten) {
        if (round == ROUNDS) {
            throw new StoreUnavailableException(
                    "counterStore.flush",
                    new IllegalStateException("the owner of " + forgotten.get(0) + " is still being forgotten: retry"));
        }
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("counterStore.flush", e);
        }
    }

    /**
     * The result of one round.
     *
     * @param held the claimed changes
     * @param written the changes that are in the source, or are no longer cached
     * @param left the changes that others may have written in an older state
     * @param forgotten the changes of owners who are being forgotten
     */
    private record RoundResult(Held held, List<CacheItem> written, List<CacheItem> left, List<CacheItem> forgotten) {}

    /** Executes the first three steps. */
    private RoundResult runRound(List<CacheItem> items, CounterSource target) {
        Set<CellKey> places = new HashSet<>();
        items.forEach(
                item -> places.add(item.type() == CacheItem.Type.CELL ? item.key() : new CellKey(item.owner(), "")));
        Map<CellKey, Written> opened = target.open(places);
        Claim claim = cache.claim(items, opened);
        Held held = claim.held();
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
        Done done = target.write(cells, members);
        List<CacheItem> written = new ArrayList<>();
        List<CacheItem> left = new ArrayList<>();
        List<CacheItem> forgotten = new ArrayList<>();
        for (CacheItem item : items) {
            if (claim.forgotten().contains(item)) {
                forgotten.add(item);
            } else {
                (isPending(item, held, done) ? left : written).add(item);
            }
        }
        return new RoundResult(held, written, left, forgotten);
    }

    /**
     * Writes the cached changes of cells in a transaction that joins the host's. They stay pending, since it may be
     * rolled back.
     */
    void write(Collection<CellKey> keys, CounterSource joined) {
        List<CacheItem> left = keys.stream().map(CacheItem::cell).toList();
        for (int round = 0; !left.isEmpty(); round++) {
            requireRound(round, left);
            RoundResult done = runRound(left, joined);
            if (!done.forgotten().isEmpty()) {
                await(round, done.forgotten());
            }
            left = Stream.concat(done.left().stream(), done.forgotten().stream())
                    .toList();
        }
    }

    /** A change that is no longer cached is no longer pending. */
    private static boolean isPending(CacheItem item, Held held, Done done) {
        return item.type() == CacheItem.Type.CELL
                ? held.cells().containsKey(item.key()) && !done.cells().contains(item.key())
                : WriteBehindCounters.heldMember(held, item).isPresent()
                        && !done.sets().contains(item.owner());
    }
}
