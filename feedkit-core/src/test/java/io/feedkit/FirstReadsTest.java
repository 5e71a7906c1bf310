package io.feedkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.event.FeedListener;
import io.feedkit.event.FeedRead;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("concurrency")
@DisplayName("First reads of a cold feed")
@Timeout(300)
class FirstReadsTest {

    private static final int READERS = 8;

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "first-read");
        thread.setDaemon(true);
        return thread;
    });
    private final List<FeedRead> reads = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store).clock(clock).workers(0).listener(new FeedListener() {
            @Override
            public void read(FeedRead event) {
                reads.add(event);
            }
        });
    }

    private void publish(FeedEngine engine) {
        for (String reader : List.of("ann", "zoe")) {
            engine.follow(reader, "bob");
        }
        for (int i = 0; i < 5; i++) {
            engine.publish(new Post("bob", "p" + i, ManualClock.START.minusSeconds(10 - i)));
        }
        engine.fanout().drain();
    }

    private State state(String reader) {
        InboxLimits limits =
                new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
        SliceQuery query = new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 1, false);
        return store.inbox(limits).slice(List.of(query)).get(0).state();
    }

    private static List<String> ids(FeedPage<Post> page) {
        return page.items().stream().map(Post::id).toList();
    }

    /** Makes the next builder wait in the middle of its work. */
    private CountDownLatch block(CountDownLatch arrived) {
        CountDownLatch release = new CountDownLatch(1);
        store.before("Outbox.newest", () -> {
            arrived.countDown();
            try {
                assertThat(release.await(30, SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        return release;
    }

    @Test
    @DisplayName("build it once, however many readers come together, and all of them get it from the inbox")
    void singleFlight() throws Exception {
        try (FeedEngine engine = builder().build()) {
            publish(engine);
            CountDownLatch arrived = new CountDownLatch(1);
            CountDownLatch release = block(arrived);
            List<Thread> waiting = new CopyOnWriteArrayList<>();
            List<Future<FeedPage<Post>>> pages = new ArrayList<>();
            pages.add(threads.submit(() -> engine.read("ann", PageRequest.first(10))));
            assertThat(arrived.await(30, SECONDS)).isTrue();
            for (int i = 1; i < READERS; i++) {
                pages.add(threads.submit(() -> {
                    waiting.add(Thread.currentThread());
                    return engine.read("ann", PageRequest.first(10));
                }));
            }
            await().until(() -> waiting.size() == READERS - 1
                    && waiting.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
            release.countDown();
            for (Future<FeedPage<Post>> page : pages) {
                assertThat(ids(page.get(30, SECONDS))).containsExactly("p4", "p3", "p2", "p1", "p0");
            }
            assertThat(store.calls("Inbox.open")).isEqualTo(1);
            assertThat(store.calls("Inbox.merge")).isEqualTo(1);
            assertThat(reads).hasSize(READERS).allMatch(read -> read.fromInbox() == 5);
        }
    }

    @Test
    @DisplayName("beyond the bound of concurrent builds are served from the outboxes, and the inbox is built by a "
            + "later read")
    void boundedRebuilds() throws Exception {
        try (FeedEngine engine =
                builder().reading(reading -> reading.concurrentRebuilds(1)).build()) {
            publish(engine);
            CountDownLatch arrived = new CountDownLatch(1);
            CountDownLatch release = block(arrived);
            Future<FeedPage<Post>> first = threads.submit(() -> engine.read("ann", PageRequest.first(10)));
            assertThat(arrived.await(30, SECONDS)).isTrue();
            assertThat(engine.read("zoe", PageRequest.first(10)).items()).hasSize(5);
            assertThat(engine.rebuild("zoe")).isFalse();
            assertThat(state("zoe")).isEqualTo(State.ABSENT);
            assertThat(reads).singleElement().satisfies(read -> {
                assertThat(read.fromInbox()).isZero();
                assertThat(read.fromOutboxes()).isEqualTo(5);
            });
            release.countDown();
            assertThat(first.get(30, SECONDS).items()).hasSize(5);
            assertThat(engine.read("zoe", PageRequest.first(10)).items()).hasSize(5);
            assertThat(state("zoe")).isEqualTo(State.LIVE);
        }
    }

    @Test
    @DisplayName("of an engine that builds none are all served from the outboxes")
    void noRebuilds() {
        try (FeedEngine engine =
                builder().reading(reading -> reading.concurrentRebuilds(0)).build()) {
            publish(engine);
            assertThat(engine.read("ann", PageRequest.first(3)).items()).hasSize(3);
            assertThat(engine.unread("ann").count()).isEqualTo(5);
            assertThat(state("ann")).isEqualTo(State.ABSENT);
        }
    }

    @Test
    @DisplayName("that fail fail nobody: all are served from the outboxes, and after the lease one builds again")
    void failedBuild() {
        try (FeedEngine engine = builder().build()) {
            publish(engine);
            store.fail("Outbox.newest");
            assertThat(ids(engine.read("ann", PageRequest.first(10)))).containsExactly("p4", "p3", "p2", "p1", "p0");
            assertThat(state("ann")).isEqualTo(State.BUILDING);
            store.heal();
            assertThat(ids(engine.read("ann", PageRequest.first(10)))).containsExactly("p4", "p3", "p2", "p1", "p0");
            clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
            assertThat(ids(engine.read("ann", PageRequest.first(10)))).containsExactly("p4", "p3", "p2", "p1", "p0");
            assertThat(state("ann")).isEqualTo(State.LIVE);
        }
    }

    @Test
    @DisplayName("that are interrupted while they wait keep the flag and are served from the outboxes")
    void interrupted() throws Exception {
        try (FeedEngine engine = builder().build()) {
            publish(engine);
            CountDownLatch arrived = new CountDownLatch(1);
            CountDownLatch release = block(arrived);
            Future<FeedPage<Post>> builder = threads.submit(() -> engine.read("ann", PageRequest.first(10)));
            assertThat(arrived.await(30, SECONDS)).isTrue();
            Future<Boolean> waiter = threads.submit(() -> {
                Thread.currentThread().interrupt();
                assertThat(engine.read("ann", PageRequest.first(10)).items()).hasSize(5);
                return Thread.interrupted();
            });
            assertThat(waiter.get(30, SECONDS)).isTrue();
            release.countDown();
            assertThat(builder.get(30, SECONDS).items()).hasSize(5);
        }
    }
}
