package io.feedkit.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.live.LiveEvent.CatchUp;
import io.feedkit.live.LiveEvent.FeedChanged;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A subscriber of a live feed")
@Timeout(60)
class LiveSubscriberTest {

    private static final PageRequest FIRST = PageRequest.first(100);
    private static final int MANY = 150;
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private static FeedEngineBuilder engine() {
        return FeedEngine.inMemory();
    }

    /** Does something at each event. */
    private record Hostile(Runnable atEvent, long requested) implements Flow.Subscriber<LiveEvent> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(requested);
        }

        @Override
        public void onNext(LiveEvent event) {
            atEvent.run();
        }

        @Override
        public void onError(Throwable failure) {
            atEvent.run();
        }

        @Override
        public void onComplete() {}
    }

    @Test
    @DisplayName("who throws is cancelled, and harms no other")
    void throwing() {
        try (FeedEngine feed = engine().build()) {
            feed.follow("ann", "bob");
            AtomicInteger events = new AtomicInteger();
            feed.live("ann")
                    .subscribe(new Hostile(
                            () -> {
                                events.incrementAndGet();
                                throw new IllegalStateException("subscriber");
                            },
                            Long.MAX_VALUE));
            Received other = Received.from(feed.live("ann"));
            feed.publish("bob", "post-1");
            other.awaitPosts("post-1");
            await().atMost(LONGEST).until(() -> events.get() == 1);
            feed.publish("bob", "post-2");
            other.awaitPosts("post-1", "post-2");
            assertThat(events).hasValue(1);
        }
    }

    @Test
    @DisplayName("who blocks harms no other")
    void blocking() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        try (FeedEngine feed = engine().build()) {
            feed.follow("ann", "bob");
            for (int i = 0; i < 8; i++) {
                feed.live("ann")
                        .subscribe(new Hostile(
                                () -> {
                                    try {
                                        release.await();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                },
                                Long.MAX_VALUE));
            }
            Received other = Received.from(feed.live("ann"));
            for (int i = 1; i <= 500; i++) {
                feed.publish("bob", "post-" + i);
            }
            await().atMost(LONGEST).until(() -> other.posts().size() >= 500);
            assertThat(other.posts()).hasSize(500).doesNotHaveDuplicates();
            assertThat(feed.read("ann", FIRST).items()).hasSize(100);
        } finally {
            release.countDown();
        }
    }

    @Test
    @DisplayName("gets nothing more after it cancels, even in an event")
    void cancels() {
        try (FeedEngine feed = engine().build()) {
            feed.follow("ann", "bob");
            List<LiveEvent> events = new ArrayList<>();
            Flow.Subscription[] given = new Flow.Subscription[1];
            feed.live("ann").subscribe(new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription subscription) {
                    given[0] = subscription;
                    subscription.request(Long.MAX_VALUE);
                }

                @Override
                public void onNext(LiveEvent event) {
                    synchronized (events) {
                        events.add(event);
                    }
                    given[0].cancel();
                }

                @Override
                public void onError(Throwable failure) {
                    throw new AssertionError(failure);
                }

                @Override
                public void onComplete() {
                    throw new AssertionError("completed");
                }
            });
            Received other = Received.from(feed.live("ann"));
            IntStream.rangeClosed(1, 50).forEach(i -> feed.publish("bob", "post-" + i));
            other.awaitEvents(50);
            synchronized (events) {
                assertThat(events).hasSize(1);
            }
        }
    }

    @Test
    @DisplayName("gets no posts that were deleted, unfollowed or hidden before the event")
    void hidden() {
        Set<String> blocked = ConcurrentHashMap.newKeySet();
        AtomicBoolean open = new AtomicBoolean();
        List<Runnable> turns = new ArrayList<>();
        try (FeedEngine feed = engine().filter((reader, posts) -> posts.stream()
                        .filter(post -> !blocked.contains(post.author()))
                        .toList())
                .live(live -> live.executor(turn -> {
                    synchronized (turns) {
                        if (open.get()) {
                            new Thread(turn).start();
                        } else {
                            turns.add(turn);
                        }
                    }
                }))
                .build()) {
            feed.followAll("ann", List.of("bob", "cat", "dan"));
            open.set(true);
            Received received = Received.from(feed.live("ann"));
            feed.publish("bob", "first");
            received.awaitPosts("first");
            open.set(false);
            feed.publish("bob", "deleted");
            feed.publish("bob", "kept");
            feed.publish("cat", "unfollowed");
            feed.publish("dan", "blocked");
            feed.fanout().drain();
            await().atMost(LONGEST).until(() -> {
                synchronized (turns) {
                    return !turns.isEmpty();
                }
            });
            feed.delete("bob", "deleted");
            feed.unfollow("ann", "cat");
            blocked.add("dan");
            synchronized (turns) {
                open.set(true);
                turns.forEach(turn -> new Thread(turn).start());
            }
            await().atMost(LONGEST).until(() -> received.posts().contains("kept"));
            feed.publish("bob", "last");
            await().atMost(LONGEST).until(() -> received.posts().contains("last"));
            assertThat(received.posts()).containsExactlyInAnyOrder("first", "kept", "last");
            assertThat(received.of(FeedChanged.class)).isNotEmpty();
        }
    }

    @Test
    @DisplayName("gets a post that arrives later than the lookback, once")
    void late() {
        try (FeedEngine feed = engine().workers(0).build()) {
            feed.follow("ann", "bob");
            feed.follow("ann", "cat");
            feed.read("ann", FIRST);
            Received received = Received.from(feed.live("ann"));
            feed.publish("cat", "first");
            feed.fanout().drain();
            received.awaitPosts("first");
            Instant now = Instant.now();
            feed.publish(new Post("bob", "late", now.minusSeconds(600)));
            feed.publish(new Post("cat", "new", now));
            feed.fanout().drain();
            await().atMost(LONGEST)
                    .untilAsserted(
                            () -> assertThat(received.posts()).containsExactlyInAnyOrder("first", "new", "late"));
            assertThat(received.of(CatchUp.class)).isEmpty();
        }
    }

    /** Publishes more posts than a cursor can list. Those that come later and are older lie below the list. */
    private static Instant publishMany(FeedEngine feed) {
        Instant now = Instant.now();
        for (int i = 0; i < MANY; i++) {
            feed.publish(new Post("cat", "many-" + i, now.minusMillis(MANY - i)));
        }
        feed.fanout().drain();
        return now.minusSeconds(60);
    }

    @Test
    @DisplayName("gets late posts that its signals do not name, below many others")
    void lateAndUnnamed() {
        try (FeedEngine feed = engine().workers(0).build()) {
            feed.followAll("ann", List.of("bob", "cat"));
            Received received =
                    Received.from(feed.live("ann", feed.read("ann", FIRST).newer()));
            Instant past = publishMany(feed);
            received.awaitEvents(MANY);
            feed.importPosts(List.of(new Post("bob", "i-1", past), new Post("bob", "i-2", past.plusMillis(1))));
            feed.fanout().drain();
            await().atMost(LONGEST)
                    .untilAsserted(() -> assertThat(received.posts()).contains("i-1", "i-2"));
            assertThat(received.posts()).hasSize(MANY + 2).doesNotHaveDuplicates();
        }
    }

    @Test
    @DisplayName("gets the late posts among those that its queue had no room for")
    void lateAndTooMany() {
        try (FeedEngine feed =
                engine().workers(0).live(live -> live.bufferSize(10)).build()) {
            feed.followAll("ann", List.of("bob", "cat"));
            feed.read("ann", FIRST);
            Received received = Received.from(feed.live("ann"), Long.MAX_VALUE);
            feed.publish("cat", "first");
            feed.fanout().drain();
            received.awaitPosts("first");
            Received slow =
                    Received.from(feed.live("ann", feed.read("ann", FIRST).newer()), MANY);
            Instant past = publishMany(feed);
            await().atMost(LONGEST).until(() -> slow.posts().size() >= MANY - 10);
            for (int i = 0; i < 20; i++) {
                feed.publish(new Post("bob", "late-" + i, past.plusMillis(i)));
                feed.fanout().drain();
            }
            slow.request(Long.MAX_VALUE);
            await().atMost(LONGEST)
                    .untilAsserted(
                            () -> assertThat(slow.posts()).hasSize(MANY + 20).doesNotHaveDuplicates());
            await().atMost(LONGEST)
                    .untilAsserted(() ->
                            assertThat(received.posts()).hasSize(MANY + 21).doesNotHaveDuplicates());
        }
    }

    @Test
    @DisplayName("gets own posts, and posts of imports that are recent")
    void ownAndImported() {
        try (FeedEngine feed = engine().ownPosts(true).build()) {
            feed.follow("ann", "bob");
            Received received = Received.from(feed.live("ann"));
            feed.read("ann", FIRST);
            feed.publish("ann", "own");
            await().atMost(LONGEST).until(() -> received.posts().contains("own"));
            Instant now = Instant.now();
            feed.importPosts(List.of(new Post("bob", "i-1", now.minusSeconds(30)), new Post("bob", "i-2", now)));
            await().atMost(LONGEST)
                    .untilAsserted(() -> assertThat(received.posts()).containsExactlyInAnyOrder("own", "i-1", "i-2"));
        }
    }

    @Test
    @DisplayName("fails if the filter throws")
    void filterThrows() {
        AtomicBoolean broken = new AtomicBoolean();
        try (FeedEngine feed = engine().filter((reader, posts) -> {
                    if (broken.get()) {
                        throw new IllegalStateException("filter");
                    }
                    return posts;
                })
                .build()) {
            feed.follow("ann", "bob");
            Received received = Received.from(feed.live("ann"));
            feed.publish("bob", "post-1");
            received.awaitPosts("post-1");
            broken.set(true);
            feed.publish("bob", "post-2");
            await().atMost(LONGEST).until(() -> received.failure().isPresent());
            assertThat(received.failure().orElseThrow()).isInstanceOf(io.feedkit.CallbackException.class);
        }
    }

    @Test
    @DisplayName("gets its events late if the executor refuses turns for a while")
    void refusedTurns() {
        AtomicInteger refusals = new AtomicInteger(3);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (FeedEngine feed = engine().live(live -> live.executor(turn -> {
                    if (refusals.getAndDecrement() > 0) {
                        throw new RejectedExecutionException("full");
                    }
                    threads.execute(turn);
                }))
                .build()) {
            feed.follow("ann", "bob");
            Received received = Received.from(feed.live("ann"));
            feed.publish("bob", "post-1");
            received.awaitPosts("post-1");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @Tag("concurrency")
    @DisplayName("gets each post once while 64 threads publish, and readers come and go")
    void concurrent() throws InterruptedException {
        try (FeedEngine feed = engine().build()) {
            for (int i = 0; i < 64; i++) {
                feed.follow("ann", "author-" + i);
            }
            Received received = Received.from(feed.live("ann"));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                String author = "author-" + i;
                threads.add(new Thread(() -> {
                    for (int j = 0; j < 10; j++) {
                        Received passing = Received.from(feed.live("ann"));
                        feed.publish(author, author + "-" + j);
                        passing.cancel();
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            received.awaitEvents(640);
            await().atMost(LONGEST).until(() -> received.posts().size() >= 640);
            assertThat(received.posts()).hasSize(640).doesNotHaveDuplicates();
        }
    }
}
