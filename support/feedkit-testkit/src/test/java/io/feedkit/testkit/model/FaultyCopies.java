package io.feedkit.testkit.model;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.StoreUnavailableException;
import io.feedkit.event.FeedListener;
import io.feedkit.event.InboxRebuilt;
import io.feedkit.health.StoreDescription;
import io.feedkit.health.StoreDescription.Data;
import io.feedkit.spi.InboxCopies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A store of copies that does as badly as it may: it fails before and after a call, answers with an older head, loses
 * parts and heads, and damages bytes. Nothing in it expires. It counts the inboxes that are filled from it.
 * Thread-safe.
 */
final class FaultyCopies implements InboxCopies {

    /** The shortest live window with which inboxes are copied. */
    static final Duration INTERVAL = Duration.ofMinutes(1);

    private static final Duration LIFETIME = Duration.ofDays(60);
    private static final int DEPTH = 7;

    private record Copy(String reader, long token) {}

    private final Map<String, List<Head>> heads = new HashMap<>();
    private final Map<Copy, NavigableMap<Integer, Part>> parts = new HashMap<>();
    private final Random random;
    private final int oneIn;
    private int filled;

    /**
     * Creates a store without copies.
     *
     * @param oneIn on average, one in this many calls and answers has a fault of each kind
     */
    FaultyCopies(long seed, int oneIn) {
        this.random = new Random(seed);
        this.oneIn = oneIn;
    }

    /** Sets an engine up. */
    FeedEngineBuilder into(FeedEngineBuilder builder) {
        return builder.inboxCopies(this)
                .copying(copying -> copying.depth(DEPTH).interval(INTERVAL).lifetime(LIFETIME))
                .listener(new FeedListener() {
                    @Override
                    public void rebuilt(InboxRebuilt event) {
                        count(event);
                    }
                });
    }

    private synchronized void count(InboxRebuilt event) {
        filled += event.fromCopy() ? 1 : 0;
    }

    /** How many inboxes were filled from copies. */
    synchronized int filled() {
        return filled;
    }

    private boolean strikes() {
        return random.nextInt(oneIn) == 0;
    }

    private void mayFail(String call) {
        if (strikes()) {
            throw new StoreUnavailableException("copies." + call, null);
        }
    }

    @Override
    public List<StoreDescription> describe() {
        return List.of(new StoreDescription(Set.of(Data.INBOX_COPIES), "faulty copies", "may be lost", List.of()));
    }

    @Override
    public synchronized void claim(String identity) {
        mayFail("claim");
    }

    @Override
    public synchronized void store(List<Part> stored, long lifetimeMillis) {
        mayFail("store");
        for (Part part : stored) {
            parts.computeIfAbsent(new Copy(part.reader(), part.token()), copy -> new TreeMap<>())
                    .put(part.number(), part);
            mayFail("store");
        }
    }

    @Override
    public synchronized void publish(List<Head> published, long lifetimeMillis) {
        mayFail("publish");
        for (Head head : published) {
            heads.computeIfAbsent(head.reader(), reader -> new ArrayList<>()).add(head);
        }
        mayFail("publish");
    }

    @Override
    public synchronized List<Optional<Head>> heads(List<String> readers) {
        mayFail("heads");
        return readers.stream().map(this::head).toList();
    }

    private Optional<Head> head(String reader) {
        List<Head> all = heads.getOrDefault(reader, List.of());
        if (all.isEmpty() || strikes()) {
            return Optional.empty();
        }
        Head head = all.get(strikes() ? random.nextInt(all.size()) : all.size() - 1);
        return Optional.of(strikes() ? new Head(reader, head.token(), damaged(head.content())) : head);
    }

    @Override
    public synchronized List<List<Part>> parts(List<Head> asked) {
        mayFail("parts");
        return asked.stream().map(this::parts).toList();
    }

    private List<Part> parts(Head head) {
        List<Part> found = new ArrayList<>();
        for (Part part : parts.getOrDefault(new Copy(head.reader(), head.token()), new TreeMap<>())
                .values()) {
            if (!strikes()) {
                found.add(
                        strikes()
                                ? new Part(part.reader(), part.token(), part.number(), damaged(part.content()))
                                : part);
            }
        }
        return found;
    }

    private byte[] damaged(byte[] content) {
        byte[] damaged = content.clone();
        if (damaged.length > 0) {
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        }
        return damaged;
    }

    @Override
    public synchronized void drop(List<String> readers) {
        mayFail("drop");
        readers.forEach(heads::remove);
        mayFail("drop");
    }
}
