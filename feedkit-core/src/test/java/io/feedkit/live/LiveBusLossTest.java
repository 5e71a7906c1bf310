package io.feedkit.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.BusBeats;
import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedPage;
import io.feedkit.ManualClock;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.ProbedStore;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.live.LiveEvent.CatchUp;
import io.feedkit.live.LiveEvent.FeedChanged;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryLiveBus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What one engine's subscribers get although messages of another engine are lost. The clock stands still, so no view of
 * the register expires by itself, and no engine has workers or polls the store soon unless a test says so.
 */
@DisplayName("A live feed, when the bus loses messages,")
@Timeout(60)
class LiveBusLossTest {

    private static final PageRequest FIRST = PageRequest.first(20);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration SLOW_BEAT = Duration.ofMinutes(1);
    private static final Duration FAST_BEAT = Duration.ofMillis(50);
    private static final Duration SILENCE = FAST_BEAT.multipliedBy(4);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private final InMemoryLiveBus bus = InMemoryLiveBus.create();
    private final LossyBus hereBus = new LossyBus(bus);
    private final LossyBus thereBus = new LossyBus(bus);
    private final CountDownLatch opened = new CountDownLatch(1);
    private final List<FeedEngine> engines = new ArrayList<>();

    private FeedEngine here(Duration beat, Duration pollInterval) {
        return here(beat, pollInterval, ForkJoinPool.commonPool());
    }

    private FeedEngine here(Duration beat, Duration pollInterval, Executor executor) {
        FeedEngine engine = FeedEngine.builder(store)
                .name("here")
                .clock(clock)
                .workers(0)
                .live(live -> {
                    live.bus(hereBus).pollInterval(pollInterval).executor(executor);
                    BusBeats.set(live, beat);
                })
                .build();
        engines.add(engine);
        return engine;
    }

    private FeedEngine there(Duration beat) {
        FeedEngine engine = FeedEngine.builder(memory)
                .name("there")
                .clock(clock)
                .workers(0)
                .policy(FanoutPolicy.pull())
                .live(live -> {
                    live.bus(thereBus).pollInterval(NEVER);
                    BusBeats.set(live, beat);
                })
                .build();
        engines.add(engine);
        return engine;
    }

    @AfterEach
    void close() {
        opened.countDown();
        engines.forEach(FeedEngine::close);
    }

    /** A subscriber of ann's feed who has got a pulled post, so that the engine has a fresh view of the register. */
    private Received subscriber(FeedEngine here, FeedEngine there) {
        here.follow("ann", "star");
        Received received =
                Received.from(here.live("ann", here.read("ann", FIRST).newer()));
        there.publish("star", "first");
        received.awaitPosts("first");
        return received;
    }

    private void publishLost(FeedEngine there, String author, String id) {
        int before = thereBus.lost();
        thereBus.lose(message -> true);
        there.publish(author, id);
        there.fanout().drain();
        await().atMost(LONGEST).until(() -> thereBus.lost() > before);
    }

    /** Lets the other engine notice that a number is missing. */
    private void sendSomething(FeedEngine there) {
        thereBus.loseNothing();
        there.markSeen("nobody", Cursor.at(clock.instant()));
    }

    private static void awaitPost(Received received, String id) {
        await().atMost(LONGEST).untilAsserted(() -> assertThat(received.posts()).contains(id));
    }

    @Test
    @DisplayName("shows a pulled post that was lost, although its view of the register is fresh")
    void pulledPost() {
        FeedEngine here = here(SLOW_BEAT, NEVER);
        FeedEngine there = there(SLOW_BEAT);
        Received received = subscriber(here, there);
        // Loading the followees again would update the register, too.
        store.fail("FollowGraph.followees");
        publishLost(there, "star", "lost");
        sendSomething(there);
        awaitPost(received, "lost");
        assertThat(received.of(CatchUp.class)).isNotEmpty();
        assertThat(received.posts()).containsExactly("first", "lost");
    }

    @Test
    @DisplayName("shows a pulled post that was lost, when the register cannot be read at first")
    void registerDown() {
        FeedEngine here = here(SLOW_BEAT, NEVER);
        FeedEngine there = there(SLOW_BEAT);
        Received received = subscriber(here, there);
        AtomicInteger failures = new AtomicInteger(1);
        store.before("PulledRegister.update", () -> {
            if (failures.getAndDecrement() > 0) {
                throw new StoreUnavailableException("update", null);
            }
        });
        there.publish("star", "second");
        awaitPost(received, "second");
        assertThat(failures).hasValueLessThan(1);
        assertThat(received.of(CatchUp.class)).isNotEmpty();
    }

    @ParameterizedTest(name = "before {0}")
    @ValueSource(strings = {"FollowGraph.followees", "PulledRegister.update"})
    @DisplayName("notices a follow through another engine while it connects a reader")
    void followWhileConnecting(String step) {
        AtomicInteger reports = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool(call -> new Thread(call, "turn"));
        FeedEngine here = here(SLOW_BEAT, NEVER, call -> {
            boolean reported = Thread.currentThread().getName().equals("here-live");
            threads.execute(() -> {
                call.run();
                reports.addAndGet(reported ? 1 : 0);
            });
        });
        FeedEngine there = there(SLOW_BEAT);
        Cursor start = here.read("ann", FIRST).newer();
        AtomicBoolean first = new AtomicBoolean(true);
        // When the register is read, the followees are loaded.
        store.before(step, () -> {
            if (Thread.currentThread().getName().equals("turn") && first.getAndSet(false)) {
                there.follow("ann", "cat");
                await().atMost(LONGEST).until(() -> reports.get() > 0);
            }
        });
        Received received = connected(here, start, () -> !first.get());
        await().atMost(LONGEST)
                .untilAsserted(() -> assertThat(received.of(FeedChanged.class)).isNotEmpty());
        there.publish("cat", "cat-1");
        awaitPost(received, "cat-1");
        awaitKept(here, PageRequest.newer(received.last().cursor(), 20));
        threads.shutdown();
    }

    /**
     * Connects a reader so that a step on the way is met. If another thread took the step for this reader, too, the
     * reader connects again.
     */
    private static Received connected(FeedEngine engine, Cursor start, BooleanSupplier isMet) {
        while (true) {
            Received received = Received.from(engine.live("ann", start));
            for (int looks = 0; looks < 100 && !isMet.getAsBoolean(); looks++) {
                LockSupport.parkNanos(20_000_000);
            }
            if (isMet.getAsBoolean()) {
                return received;
            }
            received.cancel();
        }
    }

    @Test
    @DisplayName("answers no poll from memory while it cannot catch up")
    void pollsWhileLossIsPending() {
        FeedEngine here = here(SLOW_BEAT, NEVER);
        FeedEngine there = there(SLOW_BEAT);
        Received received = subscriber(here, there);
        there.usePolicy(FanoutPolicy.push());
        PageRequest newer = PageRequest.newer(received.last().cursor(), 20);
        awaitKept(here, newer);
        store.fail("PulledRegister.update");
        publishLost(there, "star", "lost");
        sendSomething(there);
        await().atMost(LONGEST)
                .untilAsserted(() -> assertThat(here.read("ann", newer).items())
                        .extracting(Post::id)
                        .containsExactly("lost"));
    }

    /** Waits until an empty page is given again. */
    private static void awaitKept(FeedEngine here, PageRequest newer) {
        await().atMost(LONGEST).untilAsserted(() -> {
            FeedPage<Post> empty = here.read("ann", newer);
            assertThat(empty.items()).isEmpty();
            assertThat(here.read("ann", newer)).as("given again").isSameAs(empty);
        });
    }

    @Test
    @DisplayName("answers no poll from memory while it cannot load the followees")
    void pollsWhileFolloweesAreUnknown() throws InterruptedException {
        FeedEngine here = here(SLOW_BEAT, NEVER);
        FeedEngine there = there(SLOW_BEAT);
        Received received = subscriber(here, there);
        there.usePolicy(FanoutPolicy.push());
        PageRequest newer = PageRequest.newer(received.last().cursor(), 20);
        // The task of the first post repeats its signal.
        there.fanout().drain();
        there.markSeen("last", Cursor.at(clock.instant()));
        await().atMost(LONGEST).until(() -> thereBus.hasSent("last"));
        awaitKept(here, newer);
        AtomicInteger asked = new AtomicInteger();
        store.before("FollowGraph.followees", () -> {
            asked.incrementAndGet();
            throw new StoreUnavailableException("followees", null);
        });
        there.follow("ann", "cat");
        await().atMost(LONGEST).until(() -> asked.get() > 0);
        there.publish("cat", "cat-1");
        there.fanout().drain();
        await().atMost(LONGEST).until(() -> thereBus.hasSent("cat-1"));
        for (int i = 0; i < 20; i++) {
            Thread.sleep(5);
            assertThat(poll(here, newer)).isNotEqualTo("[]");
        }
    }

    private static String poll(FeedEngine here, PageRequest newer) {
        try {
            return here.read("ann", newer).items().toString();
        } catch (StoreUnavailableException e) {
            return "unavailable";
        }
    }

    @Test
    @DisplayName("follows whom the reader follows on the other engine")
    void follow() {
        FeedEngine here = here(SLOW_BEAT, NEVER);
        FeedEngine there = there(SLOW_BEAT);
        Received received = subscriber(here, there);
        // The report of the reader's first follow may have come while the reader was connected.
        int told = received.of(FeedChanged.class).size();
        int before = thereBus.lost();
        thereBus.lose(message -> true);
        there.follow("ann", "cat");
        await().atMost(LONGEST).until(() -> thereBus.lost() > before);
        sendSomething(there);
        await().atMost(LONGEST)
                .untilAsserted(() -> assertThat(received.of(FeedChanged.class)).hasSize(told + 1));
        there.publish("cat", "cat-1");
        awaitPost(received, "cat-1");
    }

    @Test
    @DisplayName("shows the last post of an engine that was closed")
    void lastMessage() {
        FeedEngine here = here(SLOW_BEAT, NEVER);
        FeedEngine there = there(SLOW_BEAT);
        Received received = subscriber(here, there);
        publishLost(there, "star", "last");
        thereBus.lose(message -> !LossyBus.isFarewell(message));
        there.close();
        awaitPost(received, "last");
        assertThat(received.of(CatchUp.class)).isNotEmpty();
    }

    @Test
    @DisplayName("shows the posts of an engine of which only the farewell arrived")
    void onlyFarewell() throws InterruptedException {
        FeedEngine here = here(FAST_BEAT, NEVER);
        try (FeedEngine first = there(SLOW_BEAT)) {
            Received received = subscriber(here, first);
            Thread.sleep(SILENCE.toMillis());
            thereBus.lose(message -> !LossyBus.isFarewell(message));
            try (FeedEngine unheard = there(SLOW_BEAT)) {
                publishLost(unheard, "star", "unheard");
                thereBus.lose(message -> !LossyBus.isFarewell(message));
            }
            awaitPost(received, "unheard");
        }
    }

    @Test
    @DisplayName("notices that an engine fell silent, although its own messages do not get through")
    void ownSendHangs() {
        FeedEngine here = here(FAST_BEAT, NEVER);
        FeedEngine there = there(FAST_BEAT);
        Received received = subscriber(here, there);
        hereBus.waitFor(opened);
        publishLost(there, "star", "lost");
        awaitPost(received, "lost");
        assertThat(received.of(CatchUp.class)).isNotEmpty();
    }

    @Test
    @DisplayName("polls the store while an engine is missed")
    void missedEngine() {
        Duration interval = Duration.ofMillis(150);
        FeedEngine here = here(FAST_BEAT, interval);
        FeedEngine there = there(FAST_BEAT);
        Received received = subscriber(here, there);
        there.usePolicy(FanoutPolicy.push());
        publishLost(there, "star", "lost");
        awaitPost(received, "lost");
        for (int i = 0; i < 3; i++) {
            String id = "polled-" + i;
            there.publish("star", id);
            there.fanout().drain();
            // While the bus works, the store is polled at every thirtieth interval only.
            await().atMost(interval.multipliedBy(10))
                    .untilAsserted(() -> assertThat(received.posts()).contains(id));
        }
    }

    @Test
    @DisplayName("polls the store seldom, for engines that were never on the bus")
    void unknownEngine() {
        FeedEngine here = here(FAST_BEAT, Duration.ofMillis(10));
        try (FeedEngine there =
                FeedEngine.builder(memory).clock(clock).workers(0).build()) {
            here.follow("ann", "star");
            Received received =
                    Received.from(here.live("ann", here.read("ann", FIRST).newer()));
            for (int i = 0; i < 3; i++) {
                String id = "post-" + i;
                there.publish("star", id);
                there.fanout().drain();
                awaitPost(received, id);
            }
        }
    }

    @Test
    @DisplayName("shows a pulled post to a reader who connects just after it")
    void connectsAfterPost() throws InterruptedException {
        FeedEngine here = here(SLOW_BEAT, NEVER);
        FeedEngine there = there(SLOW_BEAT);
        here.follow("ann", "star");
        here.follow("bob", "moon");
        Cursor ann = here.read("ann", FIRST).newer();
        Cursor bob = here.read("bob", FIRST).newer();
        there.publish("star", "star-1");
        await().atMost(LONGEST).until(() -> thereBus.hasSent("star-1"));
        Received received = Received.from(here.live("ann", ann));
        awaitPost(received, "star-1");
        there.publish("moon", "moon-1");
        await().atMost(LONGEST).until(() -> thereBus.hasSent("moon-1"));
        assertThat(here.await("bob", bob, Duration.ofSeconds(2)).items())
                .extracting(Post::id)
                .containsExactly("moon-1");
    }
}
