package io.feedkit.internal.cache;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister.Entry;
import io.feedkit.spi.PulledRegister.Update;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The cached register, built up since it was last read from the beginning. An update replaces an author's whole state.
 * One thread at a time applies updates; others may read at the same time.
 */
final class KnownRegister {

    private final boolean whole;
    private final AtomicLong departures;
    private final Map<String, Registered> registered = new ConcurrentHashMap<>();

    /** The known authors, registered or not. Not used if the whole register is known. */
    private final Set<String> authors = ConcurrentHashMap.newKeySet();

    /**
     * Creates an empty cache.
     *
     * @param whole whether it will cover the whole register
     * @param departures counts the departures from the register
     */
    KnownRegister(boolean whole, AtomicLong departures) {
        this.whole = whole;
        this.departures = departures;
    }

    boolean isWhole() {
        return whole;
    }

    /** The number of entries and of posts being retracted. */
    long size() {
        return registered.values().stream()
                .mapToLong(each -> 1 + each.retracting().size())
                .sum();
    }

    /** How many authors are registered. */
    int registered() {
        return registered.size();
    }

    /** The registered authors. */
    Set<String> all() {
        return registered.keySet();
    }

    /** How many authors are known one by one. */
    int authors() {
        return authors.size();
    }

    boolean isKnown(String author) {
        return whole || authors.contains(author);
    }

    boolean areKnown(Set<String> all) {
        return whole || authors.containsAll(all);
    }

    Registered of(String author) {
        return registered.getOrDefault(author, Registered.NOTHING);
    }

    /** Visits the registered authors among the given ones. */
    void forEachOf(Set<String> some, Consumer<String> visitor) {
        registered.keySet().stream().filter(some::contains).forEach(visitor);
    }

    /** Applies an update that was requested with the state of some authors. */
    void apply(Update update, Set<String> asked) {
        update.entries().forEach((author, entry) -> {
            if (isKnown(author) || asked.contains(author)) {
                enter(author, entry.orElse(null));
            }
        });
        idsByAuthor(update.retracting()).forEach((author, ids) -> {
            if (isKnown(author) || asked.contains(author)) {
                change(author, before -> before.withRetracting(ids));
            }
        });
        idsByAuthor(update.retracted())
                .forEach((author, ids) -> removeFrom(author, before -> before.withoutRetracting(ids)));
        if (!whole && !authors.containsAll(asked)) {
            // What such authors had registered before is not known, so they may have left.
            departures.incrementAndGet();
            // Only at the end: otherwise a concurrent view would treat an author as known and not registered.
            authors.addAll(asked);
        }
    }

    static Map<String, List<String>> idsByAuthor(Collection<PostKey> keys) {
        return keys.stream().collect(groupingBy(PostKey::author, mapping(PostKey::id, toList())));
    }

    private void enter(String author, @Nullable Entry entry) {
        if (entry == null) {
            removeFrom(author, before -> before.withEntry(null));
        } else {
            change(author, before -> {
                if (before.hasMoreThan(entry)) {
                    departures.incrementAndGet();
                }
                return before.withEntry(entry);
            });
        }
    }

    private void change(String author, UnaryOperator<Registered> change) {
        registered.compute(author, (same, before) -> change.apply(before == null ? Registered.NOTHING : before));
    }

    /** Removes an entry, or posts being retracted. The departure is counted before it shows in a view. */
    private void removeFrom(String author, UnaryOperator<Registered> change) {
        if (registered.containsKey(author)) {
            departures.incrementAndGet();
            registered.computeIfPresent(author, (same, before) -> {
                Registered after = change.apply(before);
                return after.isNothing() ? null : after;
            });
        }
    }
}
