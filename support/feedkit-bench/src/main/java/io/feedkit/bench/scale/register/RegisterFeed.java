package io.feedkit.bench.scale.register;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.PostLoader;
import io.feedkit.bench.Scale;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Engines whose source of truth has a pulled register of some size, with inboxes and follows in memory. Every reader
 * follows the same 200 authors, 50 of whom are registered. Changes are posts, and deletes of posts, of registered
 * authors.
 */
final class RegisterFeed implements AutoCloseable {

    /** The number of entries of a register that engines cache as a whole. */
    static final int SMALL = 100;

    private static final int PAGE = 20;
    private static final int PART = 10;
    private static final int FEWEST = 20_000;
    private static final int PUSHED = 150;
    private static final int PULLED = 50;
    private static final int EARLIER_POSTS = 30;
    private static final int READERS = 1000;
    private static final int AT_ONCE = 10_000;
    private static final int CHANGES_A_DELETE = 10;
    private static final long SPREAD = 7_919_009;

    private final FeedStore parts;
    private final FeedEngine writer;
    private final int entries;
    private final List<FeedEngine> engines = new ArrayList<>();
    private final AtomicInteger posts = new AtomicInteger();

    /**
     * Fills a source of truth, which is used through two outboxes.
     *
     * @param writers the outbox of writers
     * @param readers the outbox of readers
     * @param entries the size of the register
     */
    RegisterFeed(Outbox writers, Outbox readers, int entries) {
        this.entries = entries;
        InMemoryFeedStore memory = InMemoryFeedStore.create();
        MadeUpGraph graph = new MadeUpGraph();
        parts = FeedStore.of(readers, memory::inbox, graph, memory.seenMarks());
        writer = FeedEngine.builder(FeedStore.of(writers, memory::inbox, graph, memory.seenMarks()))
                .policy(status -> status.author().startsWith("pulled") ? FanoutMode.PULL : FanoutMode.PUSH)
                .workers(1)
                .build();
        for (int i = 0; i < PUSHED; i++) {
            graph.follow("pushed-" + i, 0, READERS);
            writer.publishAll(earlier("pushed-" + i));
        }
        for (int i = 0; i < SMALL; i++) {
            graph.follow(pulled(i), 0, i < PULLED ? READERS : 0);
            writer.publishAll(earlier(pulled(i)));
        }
        enter(writers, entries);
    }

    /** A source of truth in memory. */
    static RegisterFeed inMemory(int entries) {
        Outbox truth = InMemoryFeedStore.create().outbox();
        return new RegisterFeed(truth, truth, entries);
    }

    /** The number of entries of the large register of a scale. */
    static int large(Scale scale) {
        return Math.max(FEWEST, scale.followers() / PART);
    }

    /** A registered author. */
    static String pulled(int number) {
        return String.format("pulled-%08d", number);
    }

    private List<Post> earlier(String author) {
        List<Post> earlier = new ArrayList<>();
        long newest = System.currentTimeMillis();
        for (int i = 0; i < EARLIER_POSTS; i++) {
            earlier.add(Post.of(author, nextId(), newest - EARLIER_POSTS + i));
        }
        return earlier;
    }

    private String nextId() {
        return id(posts.getAndIncrement());
    }

    private static String id(int number) {
        return String.format("%09d", number);
    }

    private static void enter(Outbox truth, int entries) {
        long time = System.currentTimeMillis();
        for (int from = SMALL; from < entries; from += AT_ONCE) {
            List<Post> unpushed = new ArrayList<>();
            for (int i = from; i < Math.min(from + AT_ONCE, entries); i++) {
                unpushed.add(Post.of(pulled(i), id(i), time));
            }
            truth.pulled().put(unpushed);
        }
    }

    /** An engine that reads. It is closed with this object. */
    FeedEngine engine(Duration staleness) {
        FeedEngine engine = FeedEngine.builder(parts)
                .workers(0)
                .reading(reading -> reading.staleness(staleness))
                .build();
        engines.add(engine);
        first(engine, 0);
        return engine;
    }

    /** Reads the first page of a reader, given by number. The page must be full. */
    static Object first(FeedEngine engine, int reader) {
        return full(engine.read(MadeUpGraph.user(reader % READERS), PageRequest.first(PAGE)));
    }

    /** Reads the first page with content. */
    static Object first(FeedEngine engine, int reader, PostLoader<Post> content) {
        return full(engine.read(MadeUpGraph.user(reader % READERS), PageRequest.first(PAGE), content));
    }

    private static FeedPage<?> full(FeedPage<?> page) {
        if (page.items().size() != PAGE) {
            throw new IllegalStateException("the page must be full, but is " + page);
        }
        return page;
    }

    /** Does all waiting tasks, so that no worker does them during a measurement. */
    void drain() {
        writer.fanout().drain();
    }

    /** Changes the register entry of some author. */
    void changeAny() {
        int number = posts.getAndIncrement();
        change(pulled((int) (number * SPREAD % entries)), number);
    }

    /** Changes the register entry of one of a hundred authors, half of whom the readers follow. */
    void changeFew() {
        int number = posts.getAndIncrement();
        change(pulled(number % SMALL), number);
    }

    /** Changes the entry, mostly by a post, and now and then by the delete of such a post. */
    private void change(String author, int number) {
        writer.publish(Post.of(author, id(number), System.currentTimeMillis()));
        if (number % CHANGES_A_DELETE == 0) {
            writer.deleteAll(List.of(new PostKey(author, id(number))));
        }
    }

    @Override
    public void close() {
        engines.forEach(FeedEngine::close);
        writer.close();
    }
}
