package io.feedkit.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.ManualClock;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.live.LiveEvent.CatchUp;
import io.feedkit.live.LiveEvent.FeedChanged;
import io.feedkit.live.LiveEvent.PostDeleted;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryLiveBus;
import io.feedkit.memory.InMemoryPresenceStore;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A live feed")
@Timeout(60)
class LiveFeedTest {

    private static final PageRequest FIRST = PageRequest.first(20);
    private static final InboxLimits LIMITS = new InboxLimits(1000, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());

    /** How the publishing engine reaches the subscriber's engine. */
    enum Way {
        SAME_ENGINE,
        BUS,
        POLLING
    }

    private final InMemoryFeedStore store = InMemoryFeedStore.create();
    private final InMemoryLiveBus bus = InMemoryLiveBus.create();
    private final FeedEngine engine = engine(Way.SAME_ENGINE, FanoutPolicy.push());
    private FeedEngine other = engine;

    private FeedEngine engine(Way way, FanoutPolicy policy) {
        return FeedEngine.builder(store)
                .policy(policy)
                .live(live -> {
                    live.pollInterval(Duration.ofMillis(20));
                    if (way == Way.BUS) {
                        live.bus(bus);
                    }
                })
                .build();
    }

    /** Two engines: {@code engine} for subscribers, {@code other} for publishers. */
    private FeedEngine subscribers(Way way, FanoutPolicy policy) {
        other = engine(way, policy);
        return way == Way.SAME_ENGINE ? other : engine(way, policy);
    }

    @AfterEach
    void close() {
        other.close();
        engine.close();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("brings pushed and pulled posts, deletes and changes of the feed")
    void brings(Way way) {
        for (FanoutPolicy policy : List.of(FanoutPolicy.push(), FanoutPolicy.pull())) {
            try (FeedEngine feed = subscribers(way, policy)) {
                String reader = "ann-" + policy;
                other.follow(reader, "bob");
                other.publish("bob", policy + "-0");
                other.fanout().drain();
                Cursor start = feed.read(reader, FIRST).newer();
                Received received = Received.from(feed.live(reader, start));
                await().until(() -> feed.read(reader, FIRST).items().size() > 0);
                for (int i = 1; i <= 3; i++) {
                    other.publish("bob", policy + "-" + i);
                }
                await().atMost(Duration.ofSeconds(10))
                        .untilAsserted(() -> assertThat(received.posts())
                                .containsExactlyInAnyOrder(policy + "-1", policy + "-2", policy + "-3"));
                other.delete("bob", policy + "-1");
                await().atMost(Duration.ofSeconds(10))
                        .untilAsserted(() -> assertThat(received.of(PostDeleted.class))
                                .extracting(PostDeleted::key)
                                .containsExactly(new PostKey("bob", policy + "-1")));
                other.follow(reader, "cat");
                await().atMost(Duration.ofSeconds(10))
                        .untilAsserted(
                                () -> assertThat(received.of(FeedChanged.class)).isNotEmpty());
                other.publish("cat", policy + "-cat");
                await().atMost(Duration.ofSeconds(10))
                        .untilAsserted(() -> assertThat(received.posts()).contains(policy + "-cat"));
                assertThat(received.of(CatchUp.class)).hasSizeLessThanOrEqualTo(way == Way.BUS ? 2 : 0);
                received.cancel();
                other.close();
            }
        }
    }

    @Test
    @DisplayName("begins with the posts since a cursor, and goes on with live ones, without a gap or a repeat")
    void since() {
        engine.follow("ann", "bob");
        Cursor start = engine.read("ann", FIRST).newer();
        IntStream.rangeClosed(1, 250).forEach(i -> engine.publish("bob", "post-" + i));
        engine.fanout().drain();
        Received received = Received.from(engine.live("ann", start));
        received.awaitEvents(100);
        IntStream.rangeClosed(251, 300).forEach(i -> engine.publish("bob", "post-" + i));
        received.awaitEvents(300);
        assertThat(received.posts()).doesNotHaveDuplicates().hasSize(300);
        Cursor middle = received.events().get(99).cursor();
        List<String> before = received.posts().subList(0, 100);
        Received again = Received.from(engine.live("ann", middle));
        again.awaitEvents(200);
        assertThat(again.posts()).doesNotContainAnyElementsOf(before).hasSize(200);
        assertThat(engine.read("ann", PageRequest.newer(received.last().cursor(), 20))
                        .items())
                .isEmpty();
    }

    @Test
    @DisplayName("notices without a bus that another engine changed the feed before the first poll of the store")
    void followBeforeFirstPoll() {
        try (FeedEngine feed = FeedEngine.builder(store)
                .live(live -> live.pollInterval(Duration.ofSeconds(2)))
                .build()) {
            feed.follow("ann", "bob");
            Received received =
                    Received.from(feed.live("ann", feed.read("ann", FIRST).newer()));
            feed.publish("bob", "first");
            received.awaitPosts("first");
            // The followees are loaded.
            engine.follow("ann", "cat");
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(
                            () -> assertThat(received.of(FeedChanged.class)).isNotEmpty());
            engine.publish("cat", "second");
            received.awaitPosts("first", "second");
        }
    }

    @Test
    @DisplayName("does not repeat without a bus the posts of an author who crosses from pull to push")
    void crossingBelowTheList() {
        ManualClock clock = new ManualClock();
        InMemoryFeedStore timed = InMemoryFeedStore.create(clock);
        try (FeedEngine writer = FeedEngine.builder(timed)
                        .policy(FanoutPolicy.pull())
                        .clock(clock)
                        .build();
                FeedEngine feed = FeedEngine.builder(timed)
                        .clock(clock)
                        .live(live -> live.pollInterval(Duration.ofMillis(20)))
                        .build()) {
            writer.follow("ann", "bob");
            writer.follow("ann", "cat");
            feed.read("ann", FIRST);
            // More than a cursor lists: those of bob are below its list.
            IntStream.rangeClosed(1, 70).forEach(i -> {
                clock.advance(Duration.ofSeconds(1));
                writer.publish(i <= 3 ? "bob" : "cat", "post-" + i);
            });
            writer.fanout().drain();
            SliceQuery inbox = new SliceQuery("ann", PositionRange.ALL, Order.NEWEST_FIRST, 100, false);
            Cursor shown = feed.read("ann", PageRequest.first(100)).newer();
            Received received = Received.from(feed.live("ann", shown));
            writer.publish("cat", "first");
            received.awaitPosts("first");
            writer.usePolicy(FanoutPolicy.push());
            writer.publish("bob", "second");
            writer.fanout().drain();
            assertThat(timed.inbox(LIMITS).slice(List.of(inbox)).get(0).posts())
                    .extracting(Post::id)
                    .contains("post-1", "post-2", "post-3");
            writer.publish("bob", "third");
            received.awaitPosts("first", "second", "third");
            assertThat(received.of(CatchUp.class)).as("for three posts at once").hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    @DisplayName("tells a subscriber who is too slow to catch up, and loses no post")
    void slow() {
        engine.follow("ann", "bob");
        engine.read("ann", FIRST);
        Received received = Received.from(engine.live("ann"), 1);
        IntStream.rangeClosed(1, 600).forEach(i -> engine.publish("bob", "post-" + i));
        engine.fanout().drain();
        received.awaitEvents(1);
        await().pollDelay(Duration.ofMillis(200)).until(() -> received.events().size() == 1);
        received.request(10_000);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(received.posts()).hasSize(600));
        assertThat(received.posts()).doesNotHaveDuplicates();
        assertThat(received.of(CatchUp.class)).isNotEmpty();
    }

    @Test
    @DisplayName("answers polls with nothing new without reading, and notices what is new")
    void polls() {
        engine.follow("ann", "bob");
        Received.from(engine.live("ann"));
        FeedPage<Post> page = engine.read("ann", FIRST);
        await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> {
            PageRequest newer = PageRequest.newer(page.newer(), 20);
            FeedPage<Post> empty = engine.read("ann", newer);
            assertThat(engine.read("ann", newer)).as("given again").isSameAs(empty);
        });
        assertThat(engine.unread("ann").count()).isZero();
        engine.publish("bob", "post-1");
        engine.fanout().drain();
        assertThat(engine.read("ann", PageRequest.newer(page.newer(), 20)).items())
                .hasSize(1);
        assertThat(engine.unread("ann").count()).isOne();
        engine.markSeen("ann", engine.read("ann", FIRST).newer());
        assertThat(engine.unread("ann").count()).isZero();
    }

    @Test
    @DisplayName("builds the inbox of its reader, with a cursor after the first request")
    void buildsInbox() {
        engine.follow("ann", "bob");
        engine.follow("cat", "bob");
        SliceQuery ann = new SliceQuery("ann", PositionRange.ALL, Order.NEWEST_FIRST, 1, false);
        SliceQuery cat = new SliceQuery("cat", PositionRange.ALL, Order.NEWEST_FIRST, 1, false);
        // A cursor of a reader who has no inbox yet.
        Cursor shown = engine.read("dan", FIRST).newer();
        Received.from(engine.live("ann"), 0);
        Received.from(engine.live("cat", shown), 1);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> store.inbox(LIMITS).slice(List.of(ann, cat)).stream()
                        .allMatch(slice -> slice.state() == State.LIVE));
    }

    @Test
    @DisplayName("can be waited for")
    void waits() throws InterruptedException {
        engine.follow("ann", "bob");
        FeedPage<Post> page = engine.read("ann", FIRST);
        assertThat(engine.await("ann", page.newer(), Duration.ofMillis(100)).items())
                .isEmpty();
        Thread publisher = new Thread(() -> engine.publish("bob", "post-1"));
        publisher.start();
        FeedPage<Post> news = engine.await("ann", page.newer(), Duration.ofSeconds(20));
        assertThat(news.items()).extracting(Post::id).containsExactly("post-1");
        publisher.join();
    }

    @Test
    @DisplayName("is completed when the engine is closed")
    void closed() {
        FeedEngine feed = engine(Way.SAME_ENGINE, FanoutPolicy.push());
        Received received = Received.from(feed.live("ann"));
        feed.close();
        await().until(received::isCompleted);
        assertThat(received.failure()).isEmpty();
    }

    @Test
    @DisplayName("makes its reader online while there is a subscriber or a waiting call")
    void online() throws InterruptedException {
        InMemoryPresenceStore presence = InMemoryPresenceStore.create();
        try (FeedEngine here = FeedEngine.builder(store).presence(presence).build();
                FeedEngine there = FeedEngine.builder(store).presence(presence).build()) {
            Received received = Received.from(here.live("ann"));
            assertThat(here.presence().isOnline("ann")).isTrue();
            here.presence().announce();
            assertThat(there.presence().isOnline("ann")).isTrue();
            Instant subscribed = there.presence().lastSeen("ann").orElseThrow();
            Thread.sleep(5);
            received.cancel();
            here.presence().announce();
            assertThat(there.presence().lastSeen("ann"))
                    .hasValueSatisfying(left -> assertThat(left).isAfter(subscribed));
            here.await("bob", here.read("bob", FIRST).newer(), Duration.ofMillis(10));
            assertThat(here.presence().isOnline("bob")).isTrue();
        }
    }

    @Test
    @DisplayName("leaves no reader connected whose subscriber throws when it is given its subscription")
    void throwingAtSubscription() {
        InMemoryPresenceStore presence = InMemoryPresenceStore.create();
        try (FeedEngine here = FeedEngine.builder(store)
                .presence(presence)
                .presence(settings -> settings.onlineWindow(Duration.ofSeconds(1)))
                .build()) {
            Flow.Publisher<LiveEvent> live = here.live("ann");
            Flow.Subscriber<LiveEvent> broken = new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription subscription) {
                    throw new IllegalStateException("subscriber");
                }

                @Override
                public void onNext(LiveEvent event) {}

                @Override
                public void onError(Throwable failure) {}

                @Override
                public void onComplete() {}
            };
            live.subscribe(broken);
            await().atMost(Duration.ofSeconds(10)).until(() -> !here.presence().isOnline("ann"));
        }
    }
}
