package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.fanout.AuthorStatus;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import java.time.Duration;
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
    private static final String UPDATE = "PulledRegister.update";
    private static final String PULLED = "Outbox.pulledAmong";
    private static final String AGE = "Outbox.invisibleSince";

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private final AtomicInteger posts = new AtomicInteger();
    private final FeedEngine feed = FeedEngine.builder(store)
            .clock(clock)
            .workers(0)
            .reading(reading -> reading.staleness(STALENESS))
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

    @Test
    @DisplayName("asks the store whether the author is pulled, if the engine does not know it")
    void registerIsAsked() {
        publish();
        assertThat(store.calls(PULLED)).isEqualTo(1);
        feed.read("ann", PageRequest.first(10));
        publish();
        assertThat(store.calls(PULLED)).isEqualTo(1);
        clock.advance(STALENESS);
        publish();
        assertThat(store.calls(PULLED)).isEqualTo(2);
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
        publish();
        assertThat(store.calls(PULLED) + store.calls(AGE)).isZero();
    }

    @Test
    @DisplayName("tells pages nothing: a transaction may see an old register")
    void pagesAskThemselves() {
        publish();
        int before = store.calls(UPDATE);
        feed.read("ann", PageRequest.first(10));
        assertThat(store.calls(UPDATE)).isEqualTo(before + 1);
    }

    @Test
    @Tag("concurrency")
    @Timeout(30)
    @DisplayName("waits for no thread that is just asking the store for the register, and so may be waiting for a "
            + "connection")
    void waitsForNobody() throws Exception {
        AtomicBoolean first = new AtomicBoolean(true);
        CountDownLatch asking = new CountDownLatch(1);
        CountDownLatch published = new CountDownLatch(1);
        store.before(UPDATE, () -> {
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
