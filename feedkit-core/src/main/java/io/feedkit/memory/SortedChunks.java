package io.feedkit.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A sorted set in arrays. Every inbox, outbox and edge list of this store is kept in such sets. Not thread-safe; the
 * owner of a set locks.
 *
 * <p>A store has very many tiny sets, some sets of a thousand entries that grow at the top, and a few huge sets that
 * grow anywhere. One structure serves all three: an array that grows up to {@value #CHUNK} entries, and once that is
 * full, a list of such chunks below it. An entry costs 4 to 8 bytes, and a set of one entry 56. Adding the highest
 * entry costs a comparison; adding elsewhere costs a binary search and the copy of one chunk.
 *
 * <p>Measured against simpler structures (Java 17, 2 cores, CPU time, 2026-11-26):
 *
 * <table>
 *   <caption>A million ids, added in random order, and read in pages of a thousand</caption>
 *   <tr><th></th><th>chunks</th><th>{@link java.util.TreeSet}</th><th>one array</th></tr>
 *   <tr><td>adding an id</td><td>1.8 µs</td><td>2.3 µs</td><td>11.7 µs, in proportion to the size</td></tr>
 *   <tr><td>reading an id</td><td>11 to 35 ns</td><td>74 to 173 ns</td><td>not measured</td></tr>
 *   <tr><td>memory for an id</td><td>4 bytes</td><td>36 bytes</td><td>not measured</td></tr>
 *   <tr><td>memory for a set of 10</td><td>112 bytes</td><td>464 bytes</td><td>not measured</td></tr>
 * </table>
 */
final class SortedChunks<E> {

    /** A bound among the entries; it need not be an entry. */
    @FunctionalInterface
    interface Bound<E> {
        /** Negative if the entry lies below this bound, zero if it is here, positive if it lies above. */
        int compareOf(E entry);
    }

    private static final int CHUNK = 256;
    private static final Object[] NONE = {};

    private final Comparator<? super E> order;

    /** The chunks below the top, each filled to its length, which is at least 1. */
    private @Nullable List<Object[]> lower;

    private int lowerSize;

    /** The highest chunk; empty only if there are no others. */
    private Object[] top = NONE;

    private int topSize;

    SortedChunks(Comparator<? super E> order) {
        this.order = order;
    }

    int size() {
        return lowerSize + topSize;
    }

    boolean isEmpty() {
        return topSize == 0;
    }

    /** Adds an entry, and returns whether it was new. */
    boolean add(E entry) {
        if (topSize == 0 || order.compare(entry(top, topSize - 1), entry) < 0) {
            if (topSize == CHUNK) {
                push(top);
                top = NONE;
                topSize = 0;
            }
            insert(place(lowerCount(), topSize), entry);
            return true;
        }
        long place = ceiling(other -> order.compare(other, entry));
        if (order.compare(at(place), entry) == 0) {
            return false;
        }
        insert(place, entry);
        return true;
    }

    /** Removes an entry, and returns whether it was there. */
    boolean remove(E entry) {
        long place = ceiling(other -> order.compare(other, entry));
        if (place == end() || order.compare(at(place), entry) != 0) {
            return false;
        }
        removeAt(place);
        return true;
    }

    /** The entry at a bound, if there is one. */
    @Nullable
    E find(Bound<? super E> bound) {
        long place = ceiling(bound);
        if (place == end()) {
            return null;
        }
        E entry = at(place);
        return bound.compareOf(entry) == 0 ? entry : null;
    }

    /** The entry that has {@code rank} entries below it. */
    E get(int rank) {
        int rest = rank;
        int chunk = 0;
        while (rest >= length(chunk)) {
            rest -= length(chunk);
            chunk++;
        }
        return entry(chunk(chunk), rest);
    }

    /** The lowest entries between two bounds, the first inclusive and the second exclusive. */
    List<E> ascending(Bound<? super E> from, Bound<? super E> below, int limit) {
        long place = ceiling(from);
        long end = end();
        List<E> page = new ArrayList<>();
        while (place < end && page.size() < limit) {
            E entry = at(place);
            if (below.compareOf(entry) >= 0) {
                break;
            }
            page.add(entry);
            boolean lastOfChunk = index(place) + 1 == length(chunkOf(place)) && chunkOf(place) < lowerCount();
            place = lastOfChunk ? place(chunkOf(place) + 1, 0) : place + 1;
        }
        return page;
    }

    /** The highest entries between two bounds, the first inclusive and the second exclusive, in descending order. */
    List<E> descending(Bound<? super E> from, Bound<? super E> below, int limit) {
        long place = ceiling(below);
        List<E> page = new ArrayList<>();
        while (place > 0 && page.size() < limit) {
            int chunk = chunkOf(place) - 1;
            place = index(place) > 0 ? place - 1 : place(chunk, length(chunk) - 1);
            E entry = at(place);
            if (from.compareOf(entry) < 0) {
                break;
            }
            page.add(entry);
        }
        return page;
    }

    /** Removes the lowest {@code count} entries. */
    void removeLowest(int count) {
        int rest = count;
        int chunks = 0;
        while (chunks < lowerCount() && rest >= length(chunks)) {
            rest -= length(chunks);
            chunks++;
        }
        if (lower != null && chunks > 0) {
            lower.subList(0, chunks).clear();
        }
        if (lower != null && lowerCount() > 0) {
            lower.set(0, Arrays.copyOfRange(chunk(0), rest, length(0)));
            lowerSize -= count;
            return;
        }
        lowerSize = 0;
        System.arraycopy(top, rest, top, 0, topSize - rest);
        Arrays.fill(top, topSize - rest, topSize, null);
        topSize -= rest;
    }

    /** Removes the entries below a bound. */
    void removeBelow(Bound<? super E> bound) {
        removeLowest(countBelow(bound));
    }

    /** How many entries are at or above a bound. */
    int countFrom(Bound<? super E> bound) {
        return size() - countBelow(bound);
    }

    private int countBelow(Bound<? super E> bound) {
        long place = ceiling(bound);
        int count = index(place);
        for (int chunk = 0; chunk < chunkOf(place); chunk++) {
            count += length(chunk);
        }
        return count;
    }

    /** Removes the entries that match a condition. */
    void removeIf(Predicate<? super E> condition) {
        List<E> kept = ascending(entry -> 1, entry -> -1, size());
        if (kept.removeIf(condition)) {
            lower = null;
            lowerSize = 0;
            top = NONE;
            topSize = 0;
            kept.forEach(this::add);
        }
    }

    /** The place of the lowest entry at or above a bound. */
    private long ceiling(Bound<? super E> bound) {
        // Most walks begin above all entries.
        if (topSize == 0 || bound.compareOf(entry(top, topSize - 1)) < 0) {
            return end();
        }
        int low = 0;
        int high = lowerCount();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (bound.compareOf(entry(chunk(middle), length(middle) - 1)) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int chunk = low;
        low = 0;
        high = length(chunk);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (bound.compareOf(entry(chunk(chunk), middle)) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return place(chunk, low);
    }

    private void insert(long place, E entry) {
        int chunk = chunkOf(place);
        int index = index(place);
        if (length(chunk) == CHUNK) {
            split(chunk);
            boolean upperHalf = index > CHUNK / 2;
            insert(upperHalf ? place(chunk + 1, index - CHUNK / 2) : place, entry);
        } else if (lower != null && chunk < lower.size()) {
            Object[] longer = Arrays.copyOf(chunk(chunk), length(chunk) + 1);
            System.arraycopy(longer, index, longer, index + 1, longer.length - 1 - index);
            longer[index] = entry;
            lower.set(chunk, longer);
            lowerSize++;
        } else {
            if (topSize == top.length) {
                top = Arrays.copyOf(top, Math.min(CHUNK, Math.max(2, topSize * 2)));
            }
            System.arraycopy(top, index, top, index + 1, topSize - index);
            top[index] = entry;
            topSize++;
        }
    }

    private void split(int chunk) {
        Object[] full = chunk(chunk);
        Object[] lowerHalf = Arrays.copyOf(full, CHUNK / 2);
        Object[] upperHalf = Arrays.copyOfRange(full, CHUNK / 2, CHUNK);
        if (lower != null && chunk < lower.size()) {
            lower.set(chunk, lowerHalf);
            lower.add(chunk + 1, upperHalf);
        } else {
            push(lowerHalf);
            top = upperHalf;
            topSize = upperHalf.length;
        }
    }

    private void removeAt(long place) {
        int chunk = chunkOf(place);
        int index = index(place);
        if (lower != null && chunk < lower.size()) {
            Object[] longer = chunk(chunk);
            if (longer.length == 1) {
                lower.remove(chunk);
            } else {
                Object[] shorter = Arrays.copyOf(longer, longer.length - 1);
                System.arraycopy(longer, index + 1, shorter, index, shorter.length - index);
                lower.set(chunk, shorter);
            }
            lowerSize--;
            return;
        }
        topSize--;
        System.arraycopy(top, index + 1, top, index, topSize - index);
        top[topSize] = null;
        if (topSize == 0 && lower != null && !lower.isEmpty()) {
            top = lower.remove(lower.size() - 1);
            topSize = top.length;
            lowerSize -= topSize;
        }
    }

    private void push(Object[] chunk) {
        if (lower == null) {
            lower = new ArrayList<>(4);
        }
        lower.add(chunk);
        lowerSize += chunk.length;
    }

    private int lowerCount() {
        return lower == null ? 0 : lower.size();
    }

    private Object[] chunk(int chunk) {
        return lower == null || chunk == lower.size() ? top : lower.get(chunk);
    }

    private int length(int chunk) {
        return lower == null || chunk == lower.size() ? topSize : lower.get(chunk).length;
    }

    private E at(long place) {
        return entry(chunk(chunkOf(place)), index(place));
    }

    private long end() {
        return place(lowerCount(), topSize);
    }

    @SuppressWarnings("unchecked") // only entries are put into chunks
    private E entry(Object[] chunk, int index) {
        return (E) chunk[index];
    }

    /** A place is a chunk's number and an index in it, in one number, so that places compare as their entries do. */
    private static long place(int chunk, int index) {
        return (long) chunk << Integer.SIZE | index;
    }

    private static int chunkOf(long place) {
        return (int) (place >>> Integer.SIZE);
    }

    private static int index(long place) {
        return (int) place;
    }
}
