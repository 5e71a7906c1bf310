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
import io.feedkit.ProbedStore;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.live.LiveEvent.CatchUp;
import io.feedkit.live.LiveEvent.PostAdded;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPresenceStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A live feed, when hosts and stores misbehave,")
@Timeout(20)
class LiveSubscriberFailuresTest {

    private static final PageRequest FIRST = PageRequest.first(20);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final InMemoryFeedStore memory = InMemoryFeedStore.create();
    private final ProbedStore store = new ProbedStore(memory);

    private FeedEngineBuilder engine() {
        return FeedEngine.builder(store).workers(0);
    }

    /** Does something at each post. */
    private static final class Acting implements Flow.Subscriber<LiveEvent> {
        private final List<String> posts = new ArrayList<>();
        private final Consumer<String> action;
        private final @Nullable AtomicReference<Flow.Subscription> given;

        /** Requests everything. */
        Acting(Consumer<String> action) {
            this(null, action);
        }

        /** Requests one event. */
        Acting(@Nullable AtomicReference<Flow.Subscription> given, Consumer<String> action) {
            this.given = given;
            this.action = action;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            if (given == null) {
                subscription.request(Long.MAX_VALUE);
            } else {
                given.set(subscription);
                subscription.request(1);
            }
        }

        @Override
        public synchronized void onNext(LiveEvent event) {
            if (event instanceof PostAdded added) {
                posts.add(added.post().id());
                action.accept(added.post().id());
            }
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void onComplete() {}

        synchronized List<String> posts() {
            return List.copyOf(posts);
        }
    }

    @Test
    @DisplayName("leaves no connection behind when a subscriber throws at its subscription")
    void subscriptionThrows() {
        InMemoryPresenceStore presence = InMemoryPresenceStore.create();
        try (FeedEngine feed = engine().presence(presence).build();
                FeedEngine other = engine().presence(presence).build()) {
            feed.live("ann").subscribe(new Flow.Subscriber<>() {
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
            });
            feed.presence().announce();
            Optional<Instant> left = other.presence().lastSeen("ann");
            pause();
            feed.presence().announce();
            assertThat(other.presence().lastSeen("ann"))
                    .as("last seen of a reader who is not connected")
                    .isEqualTo(left);
        }
    }

    @Test
    @DisplayName("is completed when the engine is closed, although the executor refuses all calls")
    void closedWhileRefusing() {
        AtomicBoolean full = new AtomicBoolean();
        AtomicInteger refusals = new AtomicInteger();
        FeedEngine feed = engine().live(live -> live.executor(call -> {
                    if (full.get()) {
                        refusals.incrementAndGet();
                        throw new RejectedExecutionException("full");
                    }
                    call.run();
                }))
                .build();
        feed.follow("ann", "bob");
        Received received = Received.from(feed.live("ann"));
        full.set(true);
        feed.publish("bob", "post-1");
        feed.fanout().drain();
        await().atMost(LONGEST).until(() -> refusals.get() > 0);
        feed.close();
        await().atMost(LONGEST).until(received::isCompleted);
    }

    @Test
    @DisplayName("continues when the executor throws anything")
    void executorThrows() {
        AtomicInteger failures = new AtomicInteger(2);
        try (FeedEngine feed = engine().live(live -> live.executor(call -> {
                    if (failures.getAndDecrement() > 0) {
                        throw new IllegalStateException("no more threads");
                    }
                    call.run();
                }))
                .build()) {
            feed.follow("ann", "bob");
            Received received = Received.from(feed.live("ann"));
            feed.publish("bob", "post-1");
            feed.fanout().drain();
            received.awaitPosts("post-1");
        }
    }

    @Test
    @DisplayName("fails, and does not hang, when the store throws what it must not")
    void storeThrows() {
        try (FeedEngine feed = engine().build()) {
            feed.follow("ann", "bob");
            Cursor start = feed.read("ann", FIRST).newer();
            store.before("Inbox.slice", () -> {
                throw new IllegalStateException("a bug of the store");
            });
            Received received = Received.from(feed.live("ann", start));
            await().atMost(LONGEST).until(() -> received.failure().isPresent());
            assertThat(received.failure().orElseThrow()).hasMessageContaining("a bug of the store");
        }
    }

    @Test
    @DisplayName("shows no post of a page that was read, if it is deleted, unfollowed or hidden before its event")
    void restOfPage() {
        Set<String> blocked = ConcurrentHashMap.newKeySet();
        ManualClock clock = new ManualClock();
        try (FeedEngine feed = engine().clock(clock)
                .filter((reader, posts) -> posts.stream()
                        .filter(post -> !blocked.contains(post.author()))
                        .toList())
                .build()) {
            feed.followAll("ann", List.of("bob", "cat", "dan"));
            Cursor start = feed.read("ann", FIRST).newer();
            for (String id : List.of("bob-1", "cat-1", "bob-2", "dan-1", "bob-3", "dan-2", "bob-4")) {
                clock.advance(Duration.ofMillis(1));
                feed.publish(id.substring(0, 3), id);
            }
            feed.fanout().drain();
            Acting subscriber = new Acting(id -> {
                switch (id) {
                    case "bob-1" -> feed.unfollow("ann", "cat");
                    case "dan-1" -> feed.delete("bob", "bob-3");
                    case "dan-2" -> blocked.add("bob");
                    default -> {}
                }
                if (id.equals("dan-2")) {
                    sleepLongerThanPagesLast();
                }
            });
            feed.live("ann", start).subscribe(subscriber);
            await().atMost(LONGEST).until(() -> subscriber.posts().contains("dan-2"));
            clock.advance(Duration.ofMillis(1));
            feed.publish("dan", "dan-3");
            feed.fanout().drain();
            await().atMost(LONGEST).until(() -> subscriber.posts().contains("dan-3"));
            assertThat(subscriber.posts()).containsExactly("bob-1", "bob-2", "dan-1", "dan-2", "dan-3");
        }
    }

    private static void sleepLongerThanPagesLast() {
        try {
            Thread.sleep(1100);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("brings a late post below the list of its cursor, and tells of a later one, which may have been seen")
    void lateAndBelowTheList() {
        ManualClock clock = new ManualClock();
        InMemoryFeedStore clocked = InMemoryFeedStore.create(clock);
        try (FeedEngine feed =
                FeedEngine.builder(clocked).clock(clock).workers(0).build()) {
            feed.follow("ann", "bob");
            feed.follow("ann", "star");
            Received received =
                    Received.from(feed.live("ann", feed.read("ann", FIRST).newer()));
            // More posts than a cursor lists.
            for (int i = 0; i < 90; i++) {
                clock.advance(Duration.ofSeconds(1));
                feed.publish("bob", "post-" + i);
            }
            feed.fanout().drain();
            await().atMost(LONGEST).until(() -> received.posts().size() == 90);
            feed.usePolicy(FanoutPolicy.pull());
            feed.publish(new Post("star", "late", clock.instant().minusSeconds(80)));
            await().atMost(LONGEST).until(() -> received.posts().contains("late"));
            assertThat(received.of(CatchUp.class)).isEmpty();
            feed.publish(new Post("star", "later", clock.instant().minusSeconds(600)));
            await().atMost(LONGEST)
                    .untilAsserted(() -> assertThat(received.of(CatchUp.class)).hasSize(1));
            assertThat(received.posts()).hasSize(91).doesNotHaveDuplicates();
        }
    }

    @Test
    @DisplayName("needs no deeper stack for more posts, if the executor runs calls at once")
    void callingThread() {
        int count = 700;
        try (FeedEngine feed = engine().policy(FanoutPolicy.pull())
                .live(live -> live.executor(Runnable::run))
                .build()) {
            feed.follow("ann", "bob");
            Cursor start = feed.read("ann", FIRST).newer();
            Instant now = Instant.now();
            feed.publishAll(IntStream.range(0, count)
                    .mapToObj(i -> new Post("bob", "post-" + i, now.plusMillis(i)))
                    .toList());
            // The engine's thread may deliver some of them.
            Map<Thread, IntSummaryStatistics> depths = new ConcurrentHashMap<>();
            Set<String> posts = ConcurrentHashMap.newKeySet();
            AtomicReference<Flow.Subscription> given = new AtomicReference<>();
            feed.live("ann", start).subscribe(new Acting(given, id -> {
                posts.add(id);
                depths.computeIfAbsent(Thread.currentThread(), each -> new IntSummaryStatistics())
                        .accept(Thread.currentThread().getStackTrace().length);
                given.get().request(1);
            }));
            await().atMost(Duration.ofSeconds(20)).until(() -> posts.size() == count);
            assertThat(depths.values())
                    .allSatisfy(
                            each -> assertThat(each.getMax() - each.getMin()).isLessThan(15));
        }
    }

    @Test
    @DisplayName("follows nobody whom the reader does not follow after a follow and an unfollow at the same time")
    void followAndUnfollow() throws InterruptedException {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (FeedEngine feed = engine().build()) {
            feed.follow("ann", "bob");
            Received received =
                    Received.from(feed.live("ann", feed.read("ann", FIRST).newer()));
            feed.publish("bob", "post-1");
            feed.fanout().drain();
            received.awaitPosts("post-1");
            store.after("FollowGraph.add", () -> {
                if (Thread.currentThread().getName().equals("follower")) {
                    written.countDown();
                    awaitUninterrupted(release);
                }
            });
            Thread follower = new Thread(() -> feed.follow("ann", "cat"), "follower");
            follower.start();
            written.await();
            feed.unfollow("ann", "cat");
            release.countDown();
            follower.join();
            Thread.sleep(50);
            feed.publish("cat", "cat-1");
            feed.publish("bob", "post-2");
            feed.fanout().drain();
            await().atMost(LONGEST).until(() -> received.posts().contains("post-2"));
            assertThat(feed.read("ann", FIRST).items()).extracting(Post::id).doesNotContain("cat-1");
            assertThat(received.posts()).containsExactly("post-1", "post-2");
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("answers polls with posts that the host's filter or loader showed in the meantime")
    void filterAndLoader() {
        AtomicBoolean hidden = new AtomicBoolean(true);
        try (FeedEngine feed = engine().filter((reader, posts) -> hidden.get() ? List.of() : posts)
                .live(live -> live.pollInterval(Duration.ofMillis(10)))
                .build()) {
            feed.follow("ann", "bob");
            Received received = Received.from(feed.live("ann"));
            PageRequest newer = PageRequest.newer(feed.read("ann", FIRST).newer(), 20);
            feed.publish("bob", "post-1");
            feed.fanout().drain();
            for (int i = 0; i < 20; i++) {
                pause();
                assertThat(feed.read("ann", newer).items()).isEmpty();
                assertThat(feed.unread("ann").count()).isZero();
            }
            hidden.set(false);
            assertThat(feed.unread("ann").count()).isOne();
            for (int i = 0; i < 20; i++) {
                pause();
                FeedPage<String> none = feed.read("ann", newer, posts -> Map.of());
                assertThat(none.items()).isEmpty();
            }
            FeedPage<String> loaded =
                    feed.read("ann", newer, posts -> posts.stream().collect(Collectors.toMap(post -> post, Post::id)));
            assertThat(loaded.items()).containsExactly("post-1");
            assertThat(feed.read("ann", newer).items()).hasSize(1);
            received.cancel();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
