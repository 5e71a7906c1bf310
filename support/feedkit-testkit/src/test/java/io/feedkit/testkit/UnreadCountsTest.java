package io.feedkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.Unread;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import io.feedkit.testkit.fault.FaultyFeedStore;
import io.feedkit.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is unread is counted in the stores, and is what reading shows. */
class UnreadCountsTest {

    private static final Duration WINDOW = Duration.ofHours(2);
    private static final int CAP = 20;

    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryFeedStore shared = InMemoryFeedStore.create(clock);
    private final FaultyFeedStore store = FaultyFeedStore.around(shared);
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private int posts;

    private FeedEngine engine(FanoutPolicy policy, boolean ownPosts) {
        Predicate<StoreCall> all = call -> true;
        store.onCall(all, call -> calls.add(call.operation()));
        return FeedEngine.builder(store)
                .clock(clock)
                .policy(policy)
                .ownPosts(ownPosts)
                .cap(CAP)
                .unreadCap(30)
                .liveWindow(WINDOW)
                .workers(0)
                .build();
    }

    private void publish(FeedEngine engine, String author) {
        clock.advance(Duration.ofMillis(1));
        engine.publish(author, "p" + posts++);
    }

    /**
     * Counts until a count takes exactly these calls. A new inbox is known only after a look at the fan-out log, and
     * between two looks there is a pause that depends on how long the first one took.
     */
    private void awaitCount(FeedEngine engine, Map<String, Unread> expected, String... operations) {
        await().untilAsserted(() -> {
            calls.clear();
            assertThat(engine.unread(expected.keySet())).isEqualTo(expected);
            assertThat(calls).containsExactly(operations);
        });
    }

    private Inbox.Slice inbox(String reader) {
        return shared.inbox(new InboxLimits(CAP, WINDOW.toMillis()))
                .slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, false)))
                .get(0);
    }

    @Test
    @DisplayName("A live inbox that is known is counted in one call, without reading posts")
    void countsInTheStore() {
        try (FeedEngine engine = engine(FanoutPolicy.push(), false)) {
            engine.follow("ann", "bob");
            engine.read("ann", PageRequest.first(5));
            for (int i = 0; i < 7; i++) {
                publish(engine, "bob");
            }
            engine.fanout().drain();
            engine.markSeen("ann", engine.read("ann", PageRequest.first(1)).newer());
            for (int i = 0; i < 5; i++) {
                publish(engine, "bob");
            }
            engine.fanout().drain();
            assertThat(engine.unread("ann")).as("read").isEqualTo(new Unread(5, false));
            awaitCount(engine, Map.of("ann", new Unread(5, false)), "inbox.count", "seenMarks.lastSeen");
            engine.follow("ben", "bob");
            engine.read("ben", PageRequest.first(5));
            awaitCount(
                    engine,
                    Map.of("ann", new Unread(5, false), "ben", new Unread(12, false)),
                    "inbox.count",
                    "seenMarks.lastSeen");
            assertThat(engine.unread(List.of("ann", "ben", "ann"))).hasSize(2);
        }
    }

    @Test
    @DisplayName("Counting opens no inbox, and keeps none live")
    void noVisit() {
        try (FeedEngine engine = engine(FanoutPolicy.push(), false)) {
            engine.follow("ann", "bob");
            publish(engine, "bob");
            calls.clear();
            assertThat(engine.unread("ann").count()).isOne();
            assertThat(calls).contains("outbox.count").doesNotContain("inbox.open", "inbox.slice");
            assertThat(inbox("ann").state()).isEqualTo(State.ABSENT);
            engine.read("ann", PageRequest.first(5));
            for (int i = 0; i < 3; i++) {
                assertThat(engine.unread("ann").count()).isOne();
                assertThat(inbox("ann").state()).isEqualTo(State.LIVE);
                clock.advance(WINDOW.dividedBy(3).plusMillis(1));
            }
            assertThat(inbox("ann").state()).isEqualTo(State.ABSENT);
            assertThat(engine.unread("ann").count()).isOne();
        }
    }

    @Test
    @DisplayName("A count says whether it is capped")
    void capped() {
        try (FeedEngine engine = engine(FanoutPolicy.push(), false)) {
            engine.follow("ann", "bob");
            engine.read("ann", PageRequest.first(5));
            for (int i = 1; i <= 32; i++) {
                publish(engine, "bob");
                engine.fanout().drain();
                for (int times = 0; times < 2; times++) {
                    assertThat(engine.unread("ann")).isEqualTo(new Unread(Math.min(30, i), i > 30));
                }
            }
            assertThat(engine.unread("ann")).hasToString("30+");
        }
    }

    @Test
    @DisplayName("Posts of pulled authors are counted from what the engine holds, and in one call where that ends "
            + "above the mark")
    void pulled() {
        try (FeedEngine engine = engine(FanoutPolicy.pull(), false)) {
            engine.follow("ann", "bob");
            engine.follow("ann", "cid");
            engine.read("ann", PageRequest.first(5));
            publish(engine, "cid");
            publish(engine, "bob");
            awaitCount(engine, Map.of("ann", new Unread(2, false)), "inbox.count", "seenMarks.lastSeen");
            for (int i = 3; i <= 29; i++) {
                publish(engine, "bob");
            }
            assertThat(engine.unread("ann")).isEqualTo(new Unread(29, false));
            awaitCount(
                    engine, Map.of("ann", new Unread(29, false)), "inbox.count", "seenMarks.lastSeen", "outbox.count");
            engine.rebuild("ann");
            assertThat(engine.unread("ann")).as("with all in the inbox").isEqualTo(new Unread(29, false));
            awaitCount(
                    engine, Map.of("ann", new Unread(29, false)), "inbox.count", "seenMarks.lastSeen", "outbox.count");
        }
    }

    @Test
    @DisplayName("Own posts above the mark are told apart by a look at the inbox")
    void ownPosts() {
        try (FeedEngine engine = engine(FanoutPolicy.push(), true)) {
            engine.follow("ann", "bob");
            engine.read("ann", PageRequest.first(5));
            publish(engine, "bob");
            publish(engine, "ann");
            publish(engine, "bob");
            engine.fanout().drain();
            engine.unread("ann");
            calls.clear();
            assertThat(engine.unread("ann")).isEqualTo(new Unread(2, false));
            assertThat(calls).containsExactly("inbox.count", "seenMarks.lastSeen", "outbox.count", "inbox.slice");
        }
    }

    @Test
    @DisplayName("A count of very many readers asks about two hundred at a time, and looks at twenty inboxes")
    void manyReaders() {
        List<String> readers = IntStream.range(0, 450).mapToObj(i -> "r" + i).toList();
        Map<String, Integer> largest = new ConcurrentHashMap<>();
        try (FeedEngine engine = engine(FanoutPolicy.push(), false)) {
            store.onCall(call -> true, call -> largest.merge(call.operation(), call.size(), Math::max));
            for (String reader : readers) {
                engine.follow(reader, "bob");
                engine.read(reader, PageRequest.first(1));
            }
            publish(engine, "bob");
            engine.fanout().drain();
            Map<String, Unread> expected = new HashMap<>();
            readers.forEach(reader -> expected.put(reader, new Unread(1, false)));
            largest.clear();
            assertThat(engine.unread(readers)).isEqualTo(expected);
            assertThat(largest).containsEntry("inbox.count", 200).containsEntry("inbox.slice", 20);
            awaitCount(
                    engine,
                    expected,
                    "inbox.count",
                    "seenMarks.lastSeen",
                    "inbox.count",
                    "seenMarks.lastSeen",
                    "inbox.count",
                    "seenMarks.lastSeen");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    @DisplayName("Whatever happened, the count is what reading shows above the mark")
    void likeReading(long seed) {
        Random random = new Random(seed);
        List<FanoutPolicy> policies =
                List.of(FanoutPolicy.push(), FanoutPolicy.pull(), FanoutPolicy.hybrid(2), FanoutPolicy.active(2));
        List<String> users = List.of("ann", "ben", "cid", "dan", "eve");
        int inStores = 0;
        try (FeedEngine engine = engine(policies.get((int) (seed % 4)), seed % 3 == 0)) {
            for (int step = 0; step < 400; step++) {
                step(engine, users, random);
                for (String reader : random.nextInt(3) == 0 ? users : List.<String>of()) {
                    Unread first = engine.unread(reader);
                    calls.clear();
                    Unread count = engine.unread(reader);
                    inStores += calls.contains("inbox.slice") ? 0 : 1;
                    assertThat(count)
                            .as("step %d of seed %d, %s", step, seed, reader)
                            .isEqualTo(read(engine, reader));
                    assertThat(first)
                            .as("step %d of seed %d, %s, at first", step, seed, reader)
                            .isEqualTo(count);
                }
            }
        }
        assertThat(inStores).as("feeds counted without reading").isGreaterThan(50);
    }

    private void step(FeedEngine engine, List<String> users, Random random) {
        String one = users.get(random.nextInt(users.size()));
        String other = users.get(random.nextInt(users.size()));
        switch (random.nextInt(12)) {
            case 0 -> {
                if (!one.equals(other)) {
                    engine.follow(one, other);
                }
            }
            case 1 -> {
                if (!one.equals(other) && random.nextInt(3) == 0) {
                    engine.unfollow(one, other);
                }
            }
            case 2 -> {
                if (random.nextInt(4) == 0) {
                    engine.delete(one, "p" + random.nextInt(posts + 1));
                }
            }
            case 3 -> mark(engine, one, random.nextInt(25));
            case 4, 5 -> engine.read(one, PageRequest.first(5));
            case 6 -> clock.advance(Duration.ofSeconds(random.nextInt(60)));
            case 7 -> {
                if (random.nextInt(20) == 0) {
                    clock.advance(WINDOW);
                }
            }
            case 8 -> engine.fanout().drain();
            default -> publish(engine, one);
        }
    }

    private static void mark(FeedEngine engine, String reader, int newest) {
        FeedPage<Post> page = engine.read(reader, PageRequest.first(newest + 1));
        if (page.items().size() > newest) {
            page.older()
                    .ifPresentOrElse(
                            older -> engine.markSeen(
                                    reader,
                                    engine.read(reader, PageRequest.older(older, 1))
                                            .newer()),
                            () -> engine.markSeen(reader, page.newer()));
        }
    }

    /** All that a walk through the pages shows above the mark. */
    private Unread read(FeedEngine engine, String reader) {
        var mark = shared.seenMarks().lastSeen(List.of(reader)).get(0);
        List<Post> feed = new ArrayList<>();
        FeedPage<Post> page = engine.read(reader, PageRequest.first(100));
        feed.addAll(page.items());
        while (page.older().isPresent()) {
            page = engine.read(reader, PageRequest.older(page.older().get(), 100));
            feed.addAll(page.items());
        }
        long unread = feed.stream()
                .filter(post -> !mark.contains(post) && !post.author().equals(reader))
                .count();
        return new Unread(Math.min(30, unread), unread > 30);
    }
}
