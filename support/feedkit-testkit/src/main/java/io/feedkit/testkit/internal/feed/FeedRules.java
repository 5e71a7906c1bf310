package io.feedkit.testkit.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.forwarding.InterleavingStore;
import io.feedkit.testkit.internal.HostGraphStore;
import io.feedkit.testkit.internal.KitClock;
import io.feedkit.testkit.internal.Samples;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The base of the chapters of the feed kit: engines on the store under test, without threads of their own, and ways to
 * read a feed.
 */
public abstract class FeedRules {

    protected static final String ANN = "ann";
    protected static final String BOB = "bob";
    protected static final String CAT = "cat";
    protected static final String DAN = "dan";
    private static final String SILENT = "silent";
    protected static final String YAN = "yan";
    protected static final String ZOE = "zoe";

    /** The largest page: more than any test publishes. */
    protected static final int ALL = PageRequest.MAX_LIMIT;

    private static final int STRIDE = 13;

    /** How many scenes are prepared together. */
    private static final int PREPARED = 4;

    protected final FeedStoreKit kit;
    private final List<FeedEngine> engines = new ArrayList<>();

    protected InterleavingStore store;

    protected FeedRules(FeedStoreKit kit) {
        this.kit = kit;
        this.store = InterleavingStore.of(kit.store());
    }

    @BeforeEach
    void startEmpty() {
        assertThat(store.outbox().fanout().queueStatus().unfinished())
                .as("tasks in a new store")
                .isZero();
    }

    @AfterEach
    void stop() {
        engines.forEach(FeedEngine::close);
        assertThat(store.unreached())
                .as("interrupted calls that were never made")
                .isEmpty();
    }

    /** The store's clock, for engines. */
    protected final Clock clock() {
        return new KitClock(kit);
    }

    /** A builder for an engine without threads and without staleness, so that several engines agree at once. */
    protected final FeedEngineBuilder builder(Policy policy) {
        return builder(policy, clock());
    }

    /** A builder for an engine that can only read the graph, as if it were a table of the host. */
    protected final FeedEngineBuilder hostGraphBuilder(Policy policy) {
        return builder(new HostGraphStore(store), policy, clock());
    }

    /** A builder for an engine with another clock. */
    protected final FeedEngineBuilder builder(Policy policy, Clock clock) {
        return builder(store, policy, clock);
    }

    private static FeedEngineBuilder builder(FeedStore store, Policy policy, Clock clock) {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .reading(reading -> reading.staleness(Duration.ZERO))
                .policy(policy.fanout());
    }

    protected final FeedEngine engine(Policy policy) {
        return open(builder(policy));
    }

    protected final FeedEngine engine(Policy policy, int cap) {
        return open(builder(policy).cap(cap));
    }

    /** Builds an engine that is closed after the test. */
    protected final FeedEngine open(FeedEngineBuilder builder) {
        FeedEngine engine = builder.build();
        engines.add(engine);
        return engine;
    }

    protected static void follow(FeedEngine engine, String reader, String... authors) {
        Arrays.stream(authors).forEach(author -> engine.follow(reader, author));
    }

    /** Writes edges into the graph in one call, for tests that need many readers without inboxes. */
    protected final void connect(Collection<String> readers, String... authors) {
        connect(readers.stream()
                .flatMap(reader -> Arrays.stream(authors).map(author -> new Edge(reader, author)))
                .toList());
    }

    /** Writes edges into the graph in one call. */
    protected final void connect(List<Edge> edges) {
        ((WritableFollowGraph) store.graph()).add(edges);
    }

    /** Removes an edge from the graph. */
    protected final void disconnect(String reader, String author) {
        ((WritableFollowGraph) store.graph()).remove(List.of(new Edge(reader, author)));
    }

    /** Publishes and fans out. */
    protected static void publish(FeedEngine engine, Collection<Post> posts) {
        engine.publishAll(posts);
        engine.fanout().drain();
    }

    protected static void publish(FeedEngine engine, Post... posts) {
        publish(engine, List.of(posts));
    }

    /**
     * Makes a reader's inbox live. A reader without followees would get no inbox, so the reader first follows an author
     * without posts.
     */
    protected static void visit(FeedEngine engine, String reader) {
        if (engine.followees(reader, 1).ids().isEmpty()) {
            engine.follow(reader, SILENT);
        }
        engine.read(reader, PageRequest.first(1));
    }

    /** All of a feed in one page. */
    protected static List<Post> feed(FeedEngine engine, String reader) {
        return engine.read(reader, PageRequest.first(ALL)).items();
    }

    /** All of a feed in one page, with content for every post. Such a read shows no deleted post. */
    protected static List<Post> hydrated(FeedEngine engine, String reader) {
        return engine.read(reader, PageRequest.first(ALL), FeedRules::content).items();
    }

    protected static Map<Post, Post> content(List<Post> posts) {
        return posts.stream().collect(Collectors.toMap(post -> post, post -> post));
    }

    /** All of a feed, page by page downwards. */
    protected static List<Post> walk(FeedEngine engine, String reader, int limit) {
        return walk(engine, reader, limit, pages -> {});
    }

    /** An action between two pages. */
    protected interface Pause {
        void afterPage(int pages);
    }

    protected static List<Post> walk(FeedEngine engine, String reader, int limit, Pause pause) {
        List<Post> seen = new ArrayList<>();
        FeedPage<Post> page = engine.read(reader, PageRequest.first(limit));
        seen.addAll(page.items());
        int pages = 1;
        for (Optional<Cursor> older = page.older(); older.isPresent(); older = page.older()) {
            pause.afterPage(pages++);
            page = engine.read(reader, PageRequest.older(older.get(), limit));
            assertThat(page.items()).as("page %d", pages).hasSizeLessThanOrEqualTo(limit);
            seen.addAll(page.items());
            assertThat(pages).as("pages of a walk").isLessThan(10_000);
        }
        return seen;
    }

    /** All of a feed above a cursor, page by page upwards, oldest first. */
    protected static List<Post> climb(FeedEngine engine, String reader, Cursor from, int limit) {
        List<Post> seen = new ArrayList<>();
        FeedPage<Post> page;
        Cursor next = from;
        int pages = 0;
        do {
            page = engine.read(reader, PageRequest.newer(next, limit));
            assertThat(page.items()).as("page %d", ++pages).hasSizeLessThanOrEqualTo(limit);
            assertThat(pages).as("pages of a climb").isLessThan(10_000);
            seen.addAll(Samples.oldestFirst(page.items()));
            next = page.newer();
        } while (page.moreNewer());
        return seen;
    }

    protected static <T> List<T> reversed(List<T> elements) {
        List<T> copy = new ArrayList<>(elements);
        Collections.reverse(copy);
        return copy;
    }

    /** The real content of an inbox, including posts that reads hide. */
    protected final Slice slice(String reader) {
        InboxLimits limits =
                new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
        SliceQuery query = new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, ALL, false);
        return store.inbox(limits).slice(List.of(query)).get(0);
    }

    /**
     * The calls of an operation at which a test interrupts it: all of them.
     *
     * @param calls how many the operation makes
     */
    protected static List<Integer> everyCall(int calls) {
        return IntStream.rangeClosed(1, calls).boxed().toList();
    }

    /**
     * A fixed sample of the calls of an operation at which a test interrupts it: every {@value #STRIDE}th call. The
     * first one differs from test to test. An operation with fewer calls is interrupted once.
     *
     * @param calls how many the operation makes
     * @param test what the test is about
     */
    protected static List<Integer> someCalls(int calls, Object... test) {
        int first = Math.floorMod(Arrays.toString(test).hashCode(), Math.min(STRIDE, calls));
        return IntStream.iterate(first + 1, call -> call <= calls, call -> call + STRIDE)
                .boxed()
                .toList();
    }

    /** Runs an action, and counts the latest reads before it whose answers the action did not change. */
    protected final int readsUnchangedBy(Runnable action) {
        IntSupplier reads = store.latestReads();
        action.run();
        return reads.getAsInt();
    }

    /** An interruption of an operation in a scene, before one of its calls. */
    @FunctionalInterface
    protected interface Interruption<S> {
        /**
         * Runs the operation.
         *
         * @param call the number of the interrupted call, from 1
         * @param scene the scene
         * @return {@linkplain InterleavingStore#latestReads how many reads} right before the interruption it did not
         *     change
         */
        int before(int call, S scene);
    }

    /**
     * Interrupts an operation before each of some calls, from the last to the first. If two places are separated only
     * by reads whose answers the interruption does not change, they are equivalent. Then the earlier place is left out.
     *
     * @param calls the calls, in their order
     * @param end how many calls the operation makes
     * @param alike how many of the operation's last calls were reads whose answers an interruption after the end did
     *     not change
     * @param scenes prepares a number of scenes
     * @param interruption the interruption in each scene
     */
    protected static <S> void interruptEach(
            List<Integer> calls, int end, int alike, IntFunction<List<S>> scenes, Interruption<S> interruption) {
        Deque<S> prepared = new ArrayDeque<>();
        int first = end + 1 - alike;
        for (int i = calls.size() - 1; i >= 0; i--) {
            int call = calls.get(i);
            if (call < first) {
                if (prepared.isEmpty()) {
                    prepared.addAll(scenes.apply(Math.min(i + 1, PREPARED)));
                }
                first = call - interruption.before(call, prepared.remove());
            }
        }
    }

    /** Posts in a form that fits on a line. */
    protected static List<String> names(Collection<Post> posts) {
        return posts.stream().map(post -> post.author() + "/" + post.id()).toList();
    }

    protected static List<String> ids(Collection<Post> posts) {
        return posts.stream().map(Post::id).toList();
    }
}
