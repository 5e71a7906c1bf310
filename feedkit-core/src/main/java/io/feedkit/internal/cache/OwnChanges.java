package io.feedkit.internal.cache;

import io.feedkit.internal.cache.Registered.OwnChange;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What this engine changed in the register, and has not found in an update yet. There are two generations: changes
 * since the last update began, and changes before it. The earlier ones go when an update has succeeded. Thread-safe.
 */
final class OwnChanges {

    /** One change of an author's. */
    interface Step {
        OwnChange of(OwnChange before, long number);
    }

    private final Map<String, OwnChange> later = new ConcurrentHashMap<>();
    private final Map<String, OwnChange> earlier = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();

    /** How many posts were entered or deleted, ever. */
    long count() {
        return count.get();
    }

    void add(String author, int posts, Step step) {
        later.compute(
                author, (same, before) -> step.of(before == null ? OwnChange.NONE : before, count.addAndGet(posts)));
    }

    /** What this engine changed of an author. The later changes are read first, since they become earlier ones. */
    @Nullable
    OwnChange of(String author) {
        OwnChange second = later.get(author);
        OwnChange first = earlier.get(author);
        return first == null ? second : second == null ? first : first.and(second);
    }

    /** An update begins now, which tells of all changes so far. */
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

    /** An update has told of all changes before it began. */
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

    /** Of how many authors there are changes, or more. */
    int authors() {
        return later.size() + earlier.size();
    }

    /** Visits the authors of whom there are changes, perhaps twice; those among some others only. */
    void forEachOf(Set<String> authors, Consumer<String> visitor) {
        later.keySet().stream().filter(authors::contains).forEach(visitor);
        earlier.keySet().stream().filter(authors::contains).forEach(visitor);
    }

    /** How many posts are kept that this engine deleted, and of how many authors own changes. */
    int size() {
        return Stream.concat(later.values().stream(), earlier.values().stream())
                .mapToInt(change -> 1 + change.deleted().size())
                .sum();
    }
}
