package io.feedkit.internal.cache;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A map that evicts roughly the least recently used entries. It has a young and an old half. An entry that is used goes
 * into the young half. When the young half is full, it becomes the old half, and the entries of the former old half are
 * evicted. So the map keeps no list of uses, and a hit in the young half needs no lock. Thread-safe.
 */
public final class BoundedCache<K, V> {

    private record Segment<K, V>(Map<K, V> values, AtomicLong weight) {
        Segment() {
            this(new ConcurrentHashMap<>(), new AtomicLong());
        }
    }

    private record Segments<K, V>(Segment<K, V> young, Segment<K, V> old) {}

    private final long mostInSegment;
    private final ToIntFunction<V> weigher;
    private volatile Segments<K, V> segments = new Segments<>(new Segment<>(), new Segment<>());

    /** A cache of values whose weights sum up to at most {@code maxWeight}. */
    public BoundedCache(long maxWeight, ToIntFunction<V> weigher) {
        this.mostInSegment = Math.max(1, maxWeight / 2);
        this.weigher = weigher;
    }

    /** A cache of at most {@code most} values. It keeps at least the half of them that was used last. */
    public BoundedCache(int most) {
        this(most, value -> 1);
    }

    /** Returns the value of a key, and counts the call as a use of it. */
    public @Nullable V get(K key) {
        Segments<K, V> now = segments;
        V value = now.young().values().get(key);
        if (value != null) {
            return value;
        }
        V old = now.old().values().get(key);
        if (old != null) {
            put(key, old);
        }
        return old;
    }

    /** Caches a value, unless it weighs more than half of the cache. */
    public void put(K key, V value) {
        int weight = weigher.applyAsInt(value);
        if (weight > mostInSegment) {
            remove(key);
            return;
        }
        Segment<K, V> young = makeRoom(weight);
        V before = young.values().put(key, value);
        young.weight().addAndGet(weight - (before == null ? 0 : weigher.applyAsInt(before)));
    }

    private synchronized Segment<K, V> makeRoom(int weight) {
        Segments<K, V> now = segments;
        if (now.young().weight().get() + weight > mostInSegment) {
            now = new Segments<>(new Segment<>(), now.young());
            segments = now;
        }
        return now.young();
    }

    /** Removes a key. */
    public void remove(K key) {
        Segments<K, V> now = segments;
        V removed = now.young().values().remove(key);
        if (removed != null) {
            now.young().weight().addAndGet(-weigher.applyAsInt(removed));
        }
        now.old().values().remove(key);
    }

    /** How many values are kept; a value in both halves counts twice. */
    public int size() {
        Segments<K, V> now = segments;
        return now.young().values().size() + now.old().values().size();
    }
}
