package io.feedkit.cards;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A host's query by keys that records its calls. */
final class Lookup<K, V> implements Function<Set<K>, Map<K, V>> {

    final List<Set<K>> calls = new CopyOnWriteArrayList<>();
    final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Function<? super K, ? extends V> value;

    /** A query whose value for a key is known; null if there is none. */
    Lookup(Function<? super K, ? extends V> value) {
        this.value = value;
    }

    @Override
    public Map<K, V> apply(Set<K> keys) {
        calls.add(Set.copyOf(keys));
        threads.add(Thread.currentThread());
        Map<K, V> found = new HashMap<>();
        keys.forEach(key -> found.put(key, value.apply(key)));
        return found;
    }

    /** All keys of all calls; fails if a key was asked twice. */
    Set<K> keys() {
        Set<K> all = new HashSet<>();
        calls.forEach(call -> call.forEach(key -> assertThat(all.add(key)).isTrue()));
        return all;
    }
}
