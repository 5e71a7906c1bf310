package io.feedkit.bench.core;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.InboxLimits;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The memory of an inbox entry, measured by the heap's growth. All inboxes share the posts themselves, as the inboxes
 * of an author's followers do.
 */
final class EntryMemory implements Measurement {

    private static final int READERS = 2000;
    private static final int ENTRIES = 1000;
    private static final int MAX_ROUNDS = 3;

    private final List<String> readers =
            IntStream.range(0, READERS).mapToObj(MadeUpGraph::user).toList();
    private final List<Post> posts = IntStream.range(0, ENTRIES)
            .mapToObj(i -> Post.of("author-" + i % 50, String.format("%09d", i), 1_700_000_000_000L + i))
            .toList();

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        Medians medians = new Rounds(Math.min(MAX_ROUNDS, scale.rounds()), 1)
                .medians(() -> bytesPerEntry(this::inboxes), () -> bytesPerEntry(this::lists));
        return List.of(Figure.of(
                name() + ": an inbox entry, shared post (against array lists in a map)",
                "bytes",
                medians,
                Target.NONE));
    }

    private double bytesPerEntry(Supplier<Object> filled) {
        long before = HeapWatch.liveBytes();
        Object held = filled.get();
        try {
            return (double) (HeapWatch.liveBytes() - before) / READERS / ENTRIES;
        } finally {
            Reference.reachabilityFence(held);
        }
    }

    private Object inboxes() {
        InMemoryFeedStore store = InMemoryFeedStore.create();
        Inbox inbox = store.inbox(
                new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis()));
        for (String reader : readers) {
            long generation = inbox.open(reader, 60_000, false).generation();
            inbox.complete(reader, generation, 0, 0);
        }
        posts.forEach(post -> inbox.deliver(List.of(new Delivery(post, readers, 0))));
        return store;
    }

    private Object lists() {
        Map<String, List<Post>> lists = new HashMap<>();
        readers.forEach(reader -> lists.put(reader, new ArrayList<>()));
        posts.forEach(post -> readers.forEach(
                reader -> lists.computeIfAbsent(reader, id -> new ArrayList<>()).add(post)));
        return lists;
    }
}
