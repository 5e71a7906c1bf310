package io.feedkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("concurrency")
@DisplayName("While the register of pulled authors is slow to answer")
@Timeout(300)
class RegisterRefreshTest {

    private static final int READERS = 8;
    private static final Duration STALENESS = Duration.ofSeconds(10);

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final ExecutorService threads = Executors.newFixedThreadPool(READERS);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);
    private int callsBefore;

    @AfterEach
    void stop() {
        answer.countDown();
        threads.shutdownNow();
    }

    /** An engine that knows the register, and asks in vain from now on. */
    private FeedEngine engine(Duration staleness) {
        FeedEngine engine = FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .policy(FanoutPolicy.pull())
                .reading(reading -> reading.staleness(staleness))
                .build();
        engine.follow("ann", "bob");
        engine.publish("bob", "p1");
        plain(engine);
        callsBefore = calls();
        store.before("PulledRegister.update", () -> {
            asked.countDown();
            waitForAnswer();
        });
        return engine;
    }

    private void waitForAnswer() {
        try {
            assertThat(answer.await(30, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private int calls() {
        return store.calls("PulledRegister.update");
    }

    private static List<String> plain(FeedEngine engine) {
        return engine.read("ann", PageRequest.first(10)).items().stream()
                .map(Post::id)
                .toList();
    }

    private static List<String> hydrated(FeedEngine engine) {
        return engine.read("ann", PageRequest.first(10), RegisterRefreshTest::content)
                .items();
    }

    private static Map<Post, String> content(List<Post> posts) {
        return posts.stream().collect(Collectors.toMap(post -> post, Post::id));
    }

    /**
     * Lets one reader ask, and all others come while it waits for the answer; says how often the register was asked.
     */
    private int questions(FeedEngine engine, Function<FeedEngine, List<String>> read) throws Exception {
        for (Future<List<String>> page : askTogether(engine, read)) {
            assertThat(page.get(30, SECONDS)).containsExactly("p1");
        }
        return calls() - callsBefore;
    }

    private List<Future<List<String>>> askTogether(FeedEngine engine, Function<FeedEngine, List<String>> read)
            throws InterruptedException {
        List<Thread> waiting = new CopyOnWriteArrayList<>();
        List<Future<List<String>>> pages = new ArrayList<>();
        pages.add(threads.submit(() -> read.apply(engine)));
        assertThat(asked.await(30, SECONDS)).isTrue();
        for (int i = 1; i < READERS; i++) {
            pages.add(threads.submit(() -> {
                waiting.add(Thread.currentThread());
                return read.apply(engine);
            }));
        }
        await().until(() -> waiting.size() == READERS - 1
                && waiting.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
        answer.countDown();
        return pages;
    }

    @Test
    @DisplayName("readers whose knowledge is too old share one answer")
    void stale() throws Exception {
        try (FeedEngine engine = engine(STALENESS)) {
            clock.advance(STALENESS);
            assertThat(questions(engine, RegisterRefreshTest::plain)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("readers whose knowledge is always too old share one question asked after they came")
    void noStaleness() throws Exception {
        try (FeedEngine engine = engine(Duration.ZERO)) {
            assertThat(questions(engine, RegisterRefreshTest::plain)).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("hydrating readers, who must know of every delete, share one question asked after they came")
    void hydrating() throws Exception {
        try (FeedEngine engine = engine(STALENESS)) {
            assertThat(questions(engine, RegisterRefreshTest::hydrated)).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("and cannot be reached in the end, all readers who wait by then fail at once")
    void failure() throws Exception {
        try (FeedEngine engine = engine(Duration.ZERO)) {
            store.after("PulledRegister.update", () -> {
                throw new StoreUnavailableException("register.update", null);
            });
            List<Future<List<String>>> pages = askTogether(engine, RegisterRefreshTest::plain);
            assertThat(pages)
                    .allSatisfy(page -> assertThatThrownBy(() -> page.get(30, SECONDS))
                            .hasCauseInstanceOf(StoreUnavailableException.class));
            assertThat(calls() - callsBefore).isEqualTo(1);
            store.heal();
            assertThat(plain(engine)).containsExactly("p1");
        }
    }

    @Test
    @DisplayName("it holds up no reader who knows enough, and no publisher")
    void freshEnough() throws Exception {
        try (FeedEngine engine = engine(STALENESS)) {
            Future<List<String>> hydrating = threads.submit(() -> hydrated(engine));
            assertThat(asked.await(30, SECONDS)).isTrue();
            Future<List<String>> meanwhile = threads.submit(() -> {
                engine.publish("bob", "p2");
                return plain(engine);
            });
            assertThat(meanwhile.get(30, SECONDS)).containsExactly("p2", "p1");
            assertThat(hydrating.isDone()).isFalse();
            answer.countDown();
            assertThat(hydrating.get(30, SECONDS)).containsExactly("p2", "p1");
        }
    }
}
