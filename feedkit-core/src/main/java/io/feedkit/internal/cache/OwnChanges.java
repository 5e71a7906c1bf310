package io.feedkit.internal.cache;

import io.feedkit.internal.cache.Registered.OwnChange;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * This engine's changes to the register that no update has included yet. There are two generations: changes since the
 * last update began, and changes before it. The earlier changes are removed when an update has succeeded. Thread-safe.
 */
final class OwnChanges {

    /** One change of an author's registration. */
    interface Step {
        OwnChange of(OwnChange before, long number);
    }

    private final Map<String, OwnChange> later = new ConcurrentHashMap<>();
    private final Map<String, OwnChange> earlier = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();

    /** How many posts were entered or deleted in total. */
    long count() {
        return count.get();
    }

    void add(String author, int posts, Step step) {
        later.compute(
                author, (same, before) -> step.of(before == null ? OwnChange.NONE : before, count.addAndGet(posts)));
    }

    /** This engine's changes of an author. Later changes are read first, because they move to the earlier ones. */
    @Nullable
    OwnChange of(String author) {
        OwnChange second = later.get(author);
        OwnChange first = earlier.get(author);
        return first == null ? second : second == null ? first : first.and(second);
    }

    /** Records that an update begins, which will include all changes so far. */
    void updateBegins() {
        later.keySet()
                .forEach(author -> later.computeIfPresent(author, (same, change) -> {
                    earlier.merge(author, change, OwnChange::and);
                    return null;
                }));
    }

    boolean anyBeforeUpdate() {
        return !earlier.isEmpty();
    }

    /** Records that an update has included all changes from before its beginning. */
    void updateSucceeded() {
        earlier.clear();
    }

    void clear() {
        later.clear();
        earlier.clear();
    }

    boolean isEmpty() {
        return later.isEmpty() && earlier.isEmpty();
    }

    /** The number of authors with changes, or more: an author with both generations counts twice. */
    int authors() {
        return later.size() + earlier.size();
    }

    /** The authors with changes. Later changes are collected first, because they move to the earlier ones. */
    Set<String> all() {
        Set<String> all = new HashSet<>(later.keySet());
        all.addAll(earlier.keySet());
        return all;
    }

    /** Visits the given authors that have changes; an author with both generations is visited twice. */
    void forEachOf(Set<String> authors, Consumer<String> visitor) {
        later.keySet().stream().filter(authors::contains).forEach(visitor);
        earlier.keySet().stream().filter(authors::contains).forEach(visitor);
    }

    /** The number of authors with changes, plus the number of posts that this engine deleted. */
    int size() {
        return Stream.concat(later.values().stream(), earlier.values().stream())
                .mapToInt(change -> 1 + change.deleted().size())
                .sum();
    }
}
