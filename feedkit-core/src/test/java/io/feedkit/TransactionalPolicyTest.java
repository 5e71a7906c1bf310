package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.fanout.AuthorStatus;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A policy that asks while a transaction of the host is open")
class TransactionalPolicyTest {

    private static final Duration STALENESS = Duration.ofSeconds(10);
    private static final String VERSION = "PulledRegister.version";
    private static final String SNAPSHOT = "PulledRegister.snapshot";
    private static final String AGE = "FanoutLog.invisibleSince";

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private final AtomicInteger posts = new AtomicInteger();
    private final FeedEngine feed = FeedEngine.builder(store)
            .clock(clock)
            .workers(0)
            .staleness(STALENESS)
            .policy(TransactionalPolicyTest::askEverything)
            .build();

    private static FanoutMode askEverything(AuthorStatus author) {
        FanoutMode current = author.currentMode();
        boolean relaxed = author.backlogAge().isZero();
        return author.followers() > 0 && relaxed ? FanoutMode.PUSH : current;
    }

    @AfterEach
    void close() {
        feed.close();
    }

    private void publish() {
        try (InMemoryTransaction transaction = memory.begin()) {
            feed.publish(Post.of("bob", "post-" + posts.incrementAndGet(), 1), transaction);
            transaction.commit();
        }
    }

    private void assertAsked(int versions, int snapshots, int ages) {
        assertThat(store.calls(VERSION)).as(VERSION).isEqualTo(versions);
        assertThat(store.calls(SNAPSHOT)).as(SNAPSHOT).isEqualTo(snapshots);
        assertThat(store.calls(AGE)).as(AGE).isEqualTo(ages);
    }

    @Test
    @DisplayName("asks the store for the register only if nothing fresh is known, and for all of it only if it changed")
    void registerIsRemembered() {
        publish();
        assertAsked(0, 1, 1);
        publish();
        assertAsked(0, 1, 1);
        clock.advance(STALENESS);
        publish();
        assertAsked(1, 1, 2);
        feed.importPosts("cat", List.of(Post.of("cat", "1", 1)));
        clock.advance(STALENESS);
        publish();
        assertAsked(2, 2, 3);
    }

    @Test
    @DisplayName("asks the store for the backlog once a second")
    void backlogIsRemembered() {
        publish();
        publish();
        assertThat(store.calls(AGE)).isEqualTo(1);
        clock.advance(Duration.ofSeconds(1));
        publish();
        assertThat(store.calls(AGE)).isEqualTo(2);
    }

    @Test
    @DisplayName("asks for nothing that the engine knows from elsewhere")
    void engineKnows() {
        feed.read("ann", PageRequest.first(10));
        feed.fanout().backlog();
        int asked = store.calls(VERSION) + store.calls(SNAPSHOT) + store.calls(AGE);
        publish();
        assertThat(store.calls(VERSION) + store.calls(SNAPSHOT) + store.calls(AGE))
                .isEqualTo(asked);
    }

    @Test
    @DisplayName("tells pages nothing: a transaction may see an old register")
    void pagesAskThemselves() {
        publish();
        int before = store.calls(SNAPSHOT);
        feed.read("ann", PageRequest.first(10));
        assertThat(store.calls(SNAPSHOT)).isEqualTo(before + 1);
    }

    @Test
    @Tag("concurrency")
    @Timeout(30)
    @DisplayName(
            "waits for no thread that is just asking the store for the register, and so may be waiting for a connection")
    void waitsForNobody() throws Exception {
        AtomicBoolean first = new AtomicBoolean(true);
        CountDownLatch asking = new CountDownLatch(1);
        CountDownLatch published = new CountDownLatch(1);
        store.before(SNAPSHOT, () -> {
            if (first.getAndSet(false)) {
                asking.countDown();
                await(published);
            }
        });
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<?> page = thread.submit(() -> feed.read("ann", PageRequest.first(10)));
            await(asking);
            publish();
            published.countDown();
            page.get();
        } finally {
            published.countDown();
            thread.shutdownNow();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
