package io.feedkit.memory;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.ForeignStoreException;
import io.feedkit.health.StoreDescription;
import io.feedkit.health.StoreDescription.Data;
import io.feedkit.spi.InboxCopies;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Copies of inboxes in the memory of this process, for tests, and the reference for what {@link InboxCopies} means.
 * Several engines may share them. They are lost when the object is discarded; expired ones keep their memory until the
 * reader is copied again. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class InMemoryInboxCopies implements InboxCopies {

    private record Copy(String reader, long token) {}

    private record Kept<T>(T value, long until) {}

    private final Clock clock;
    private final Map<String, Kept<Head>> heads = new ConcurrentHashMap<>();
    private final Map<Copy, NavigableMap<Integer, Kept<Part>>> parts = new ConcurrentHashMap<>();
    private String owner = "";

    private InMemoryInboxCopies(Clock clock) {
        this.clock = clock;
    }

    /**
     * Creates a store without copies.
     *
     * @param clock the clock by which copies expire
     * @return a new store
     */
    public static InMemoryInboxCopies create(Clock clock) {
        return new InMemoryInboxCopies(nonNull("clock", clock));
    }

    @Override
    public List<StoreDescription> describe() {
        return List.of(new StoreDescription(
                Set.of(Data.INBOX_COPIES), "the memory of this process", "lost when the process ends", List.of()));
    }

    @Override
    public synchronized void claim(String identity) {
        nonNull("identity", identity);
        if (!owner.isEmpty() && !owner.equals(identity)) {
            throw new ForeignStoreException(
                    "the copies of inboxes in " + this,
                    owner,
                    identity,
                    "give each source of truth a store of its own");
        }
        owner = identity;
    }

    @Override
    public void store(List<Part> stored, long lifetimeMillis) {
        long until = clock.millis() + lifetimeMillis;
        for (Part part : stored) {
            parts.compute(new Copy(part.reader(), part.token()), (copy, before) -> {
                NavigableMap<Integer, Kept<Part>> all = before == null ? new TreeMap<>() : new TreeMap<>(before);
                all.put(part.number(), new Kept<>(part, until));
                return all;
            });
        }
    }

    @Override
    public void publish(List<Head> published, long lifetimeMillis) {
        long until = clock.millis() + lifetimeMillis;
        for (Head head : published) {
            Kept<Head> before = heads.put(head.reader(), new Kept<>(head, until));
            if (before != null && before.value().token() != head.token()) {
                removeParts(before.value());
            }
        }
    }

    private void removeParts(Head head) {
        parts.remove(new Copy(head.reader(), head.token()));
    }

    @Override
    public List<Optional<Head>> heads(List<String> readers) {
        long now = clock.millis();
        return readers.stream()
                .map(reader -> Optional.ofNullable(heads.get(reader))
                        .filter(kept -> now < kept.until())
                        .map(Kept::value))
                .toList();
    }

    @Override
    public List<List<Part>> parts(List<Head> asked) {
        long now = clock.millis();
        List<List<Part>> answers = new ArrayList<>(asked.size());
        for (Head head : asked) {
            answers.add(parts.getOrDefault(new Copy(head.reader(), head.token()), new TreeMap<>()).values().stream()
                    .filter(kept -> now < kept.until())
                    .map(Kept::value)
                    .toList());
        }
        return answers;
    }

    @Override
    public void drop(List<String> readers) {
        for (String reader : readers) {
            Kept<Head> before = heads.remove(reader);
            if (before != null) {
                removeParts(before.value());
            }
        }
    }

    @Override
    public String toString() {
        return "InMemoryInboxCopies@" + Integer.toHexString(System.identityHashCode(this));
    }
}
