package io.feedkit.testkit.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.forwarding.InterleavingStore;
import io.feedkit.testkit.internal.Samples;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the chapters of the feed kit share: engines on the store under test, without threads of their own, and ways to read a feed. */
public abstract class FeedRules {

    protected static final String ANN = "ann";
    protected static final String BOB = "bob";
    protected static final String CAT = "cat";
    protected static final String DAN = "dan";
    protected static final String YAN = "yan";
    protected static final String ZOE = "zoe";

    /** The largest page: more than any test publishes. */
    protected static final int ALL = PageRequest.MAX_LIMIT;

    private static final int STRIDE = 11;
    private static final List<Policy> OTHERS = List.of(Policy.PULL, Policy.HYBRID, Policy.ACTIVE);

    protected final FeedStoreKit kit;
    private final List<FeedEngine> engines = new ArrayList<>();

    protected InterleavingStore store;

    protected FeedRules(FeedStoreKit kit) {
        this.kit = kit;
        this.store = InterleavingStore.of(kit.store());
    }

    @BeforeEach
    void startEmpty() {
        assertThat(store.outbox().fanout().depth().unfinished())
                .as("tasks in a new store")
                .isZero();
    }

    @AfterEach
    void stop() {
        engines.forEach(FeedEngine::close);
        assertThat(store.unreached())
                .as("calls that the test waited for in vain")
                .isEmpty();
    }

    /** Leaves a large test out under two policies, not always the same, if the store is slow. */
    protected final void assumeWorthwhile(Policy policy, Object... test) {
        Policy other = OTHERS.get(Math.floorMod(Arrays.toString(test).hashCode(), OTHERS.size()));
        assumeTrue(
                kit.thorough() || policy == Policy.PUSH || policy == other,
                "a slow store runs this under two policies");
    }

    /** The call, of so many, at which a large test interrupts after this one; 0 is none. A slow store is interrupted at few, and not at the same in all tests. */
    protected final int nextInterrupted(int call, int calls, Object... test) {
        if (kit.thorough()) {
            return call + 1;
        }
        return call == 0 ? 1 + Math.floorMod(Arrays.toString(test).hashCode(), Math.min(STRIDE, calls)) : call + STRIDE;
    }

    /** The store's clock, as engines want it. */
    protected final Clock clock() {
        return new Clock() {
            @Override
            public Instant instant() {
                return Instant.ofEpochMilli(kit.now());
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
    }

    /** An engine without threads, and without staleness, so that several of them agree at once. */
    protected final FeedEngineBuilder builder(Policy policy) {
        return FeedEngine.builder(store)
                .clock(clock())
                .workers(0)
                .staleness(Duration.ZERO)
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

    /** Publishes and fans out. */
    protected static void publish(FeedEngine engine, Collection<Post> posts) {
        engine.publishAll(posts);
        engine.fanout().drain();
    }

    protected static void publish(FeedEngine engine, Post... posts) {
        publish(engine, List.of(posts));
    }

    /** Makes a reader's inbox live. */
    protected static void visit(FeedEngine engine, String reader) {
        engine.read(reader, PageRequest.first(1));
    }

    /** All of a feed in one page. */
    protected static List<Post> feed(FeedEngine engine, String reader) {
        return engine.read(reader, PageRequest.first(ALL)).posts();
    }

    /** All of a feed in one page, with content for everything; knows of every delete. */
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

    /** What happens between two pages. */
    protected interface Pause {
        void afterPage(int pages);
    }

    protected static List<Post> walk(FeedEngine engine, String reader, int limit, Pause pause) {
        List<Post> seen = new ArrayList<>();
        FeedPage page = engine.read(reader, PageRequest.first(limit));
        seen.addAll(page.posts());
        int pages = 1;
        for (Optional<Cursor> older = page.older(); older.isPresent(); older = page.older()) {
            pause.afterPage(pages++);
            page = engine.read(reader, PageRequest.older(older.get(), limit));
            assertThat(page.posts()).as("page %d", pages).hasSizeLessThanOrEqualTo(limit);
            seen.addAll(page.posts());
            assertThat(pages).as("pages of a walk").isLessThan(10_000);
        }
        return seen;
    }

    /** All of a feed above a cursor, page by page upwards, oldest first. */
    protected static List<Post> climb(FeedEngine engine, String reader, Cursor from, int limit) {
        List<Post> seen = new ArrayList<>();
        FeedPage page;
        Cursor next = from;
        do {
            page = engine.read(reader, PageRequest.newer(next, limit));
            seen.addAll(Samples.oldestFirst(page.posts()));
            next = page.newer();
        } while (page.moreNewer());
        return seen;
    }

    protected static <T> List<T> reversed(List<T> elements) {
        List<T> copy = new ArrayList<>(elements);
        Collections.reverse(copy);
        return copy;
    }

    /** What really stands in an inbox, whatever reads hide. */
    protected final Slice slice(String reader) {
        InboxLimits limits =
                new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
        SliceQuery query = new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, ALL, false);
        return store.inbox(limits).slice(List.of(query)).get(0);
    }

    /** Runs something before the first call to the store, after it, before the second, and so on: place 1 is the first of these. */
    protected final void interrupt(int place, Runnable action) {
        int call = (place + 1) / 2;
        if (place % 2 == 1) {
            store.before(InterleavingStore.ANY, call, action);
        } else {
            store.after(InterleavingStore.ANY, call, action);
        }
    }

    protected static String place(int place) {
        return place == 0 ? "never" : (place % 2 == 1 ? "before call " : "after call ") + (place + 1) / 2;
    }

    /** Posts in a form that fits on a line. */
    protected static List<String> names(Collection<Post> posts) {
        return posts.stream().map(post -> post.author() + "/" + post.id()).toList();
    }

    protected static List<String> ids(Collection<Post> posts) {
        return posts.stream().map(Post::id).toList();
    }
}
