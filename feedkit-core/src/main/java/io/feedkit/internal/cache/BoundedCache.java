package io.feedkit.internal.cache;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A map that forgets roughly the least recently used entries. It has a young and an old half. An entry that is used
 * goes into the young half. When the young half is full, it becomes the old half, and the entries of the former old
 * half are forgotten. So the map needs no lock and no list of uses. Thread-safe.
 */
public final class BoundedCache<K, V> {

    private record Half<K, V>(Map<K, V> values, AtomicLong weight) {
        Half() {
            this(new ConcurrentHashMap<>(), new AtomicLong());
        }
    }

    private record Halves<K, V>(Half<K, V> young, Half<K, V> old) {}

    private final long mostInHalf;
    private final ToIntFunction<V> weigher;
    private volatile Halves<K, V> halves = new Halves<>(new Half<>(), new Half<>());

    /** A cache of values whose weights sum up to at most {@code maxWeight}. */
    public BoundedCache(long maxWeight, ToIntFunction<V> weigher) {
        this.mostInHalf = Math.max(1, maxWeight / 2);
        this.weigher = weigher;
    }

    /** A cache of at most so many values, of which it keeps at least the last half that were used. */
    public BoundedCache(int most) {
        this(most, value -> 1);
    }

    /** The value of a key, which counts as used. */
    public @Nullable V get(K key) {
        Halves<K, V> now = halves;
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

    /** Keeps a value, unless it weighs more than a half of the cache. */
    public void put(K key, V value) {
        int weight = weigher.applyAsInt(value);
        if (weight > mostInHalf) {
            remove(key);
            return;
        }
        Half<K, V> young = makeRoom(weight);
        V before = young.values().put(key, value);
        young.weight().addAndGet(weight - (before == null ? 0 : weigher.applyAsInt(before)));
    }

    private synchronized Half<K, V> makeRoom(int weight) {
        Halves<K, V> now = halves;
        if (now.young().weight().get() + weight > mostInHalf) {
            now = new Halves<>(new Half<>(), now.young());
            halves = now;
        }
        return now.young();
    }

    /** Forgets a key. */
    public void remove(K key) {
        Halves<K, V> now = halves;
        V removed = now.young().values().remove(key);
        if (removed != null) {
            now.young().weight().addAndGet(-weigher.applyAsInt(removed));
        }
        now.old().values().remove(key);
    }

    /** How many values are kept; a value in both halves counts twice. */
    public int size() {
        Halves<K, V> now = halves;
        return now.young().values().size() + now.old().values().size();
    }
}
