package io.feedkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.feedkit.internal.host.IdlingThread;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("The routine reconciliation of an inbox")
class RoutineReconciliationTest {

    private static final String COMPARED = "Outbox.page";
    private static final Duration INTERVAL = FeedEngineBuilder.DEFAULT_RECONCILE_INTERVAL;
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private final CountDownLatch answer = new CountDownLatch(1);
    private final FeedEngine engine = builder().workers(1).build();
    private final Inbox inbox = memory.inbox(
            new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis()));

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store).name("reconciling").clock(clock);
    }

    @BeforeEach
    void makeHoles() {
        List<String> readers = List.of("ann", "amy", "abe");
        for (String reader : readers) {
            engine.follow(reader, "bob");
            page(reader);
        }
        Post post = engine.publish("bob", "p1").post();
        engine.fanout().drain();
        inbox.retract(List.of(new Inbox.Retraction(post, readers)));
        clock.advance(INTERVAL);
    }

    @AfterEach
    void close() {
        answer.countDown();
        engine.close();
    }

    private List<String> page(String reader) {
        return engine.read(reader, PageRequest.first(10)).items().stream()
                .map(Post::id)
                .toList();
    }

    private void hang() {
        try {
            assertThat(answer.await(50, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("takes no time of the page that starts it, and has healed the pages after it")
    void besideThePage() {
        store.before(COMPARED, this::hang);
        assertThat(page("ann")).isEmpty();
        await().untilAsserted(() -> assertThat(store.calls(COMPARED)).isEqualTo(1));
        assertThat(page("ann")).isEmpty();
        assertThat(page("amy")).isEmpty();
        answer.countDown();
        await().untilAsserted(() -> assertThat(page("ann")).containsExactly("p1"));
        await().untilAsserted(() -> assertThat(page("amy")).containsExactly("p1"));
        assertThat(store.calls(COMPARED)).isEqualTo(2);
    }

    @Test
    @DisplayName("is started again some seconds after it failed")
    void failed() {
        AtomicInteger failures = new AtomicInteger();
        store.before(COMPARED, () -> {
            failures.incrementAndGet();
            throw new StoreUnavailableException(COMPARED, null);
        });
        assertThat(page("ann")).isEmpty();
        await().untilAsserted(() -> assertThat(failures).hasValue(1));
        store.heal();
        await().untilAsserted(() -> {
            clock.advance(AFTER_FAILURE);
            assertThat(page("ann")).containsExactly("p1");
        });
    }

    @Test
    @DisplayName("is started again some seconds after the reader's page has failed to heal the inbox meanwhile")
    void failedMeanwhile() {
        store.before(COMPARED, this::hang);
        page("amy");
        await().untilAsserted(() -> assertThat(store.calls(COMPARED)).isEqualTo(1));
        page("ann");
        clock.advance(FeedEngineBuilder.DEFAULT_FOLLOWEE_AGE);
        store.fail("FollowGraph.followees");
        assertThatThrownBy(() -> page("ann")).isInstanceOf(StoreUnavailableException.class);
        store.heal();
        answer.countDown();
        await().untilAsserted(() -> assertThat(page("amy")).containsExactly("p1"));
        await().untilAsserted(() -> {
            clock.advance(AFTER_FAILURE);
            assertThat(page("ann")).containsExactly("p1");
        });
    }

    @Test
    @DisplayName("is done once if two engines were to do it")
    void twoEngines() {
        AtomicBoolean first = new AtomicBoolean(true);
        store.before(COMPARED, () -> {
            if (first.getAndSet(false)) {
                hang();
            }
        });
        page("amy");
        await().untilAsserted(() -> assertThat(store.calls(COMPARED)).isEqualTo(1));
        page("ann");
        page("abe");
        int completed = store.calls("Inbox.complete");
        try (FeedEngine other =
                FeedEngine.builder(store).clock(clock).workers(1).build()) {
            other.read("ann", PageRequest.first(10));
            await().untilAsserted(
                            () -> assertThat(store.calls("Inbox.complete")).isEqualTo(completed + 1));
        }
        answer.countDown();
        // Its turn is after ann's.
        await().untilAsserted(() -> assertThat(page("abe")).containsExactly("p1"));
        assertThat(page("ann")).containsExactly("p1");
        assertThat(store.calls(COMPARED))
                .as("amy, ann on the other engine, abe")
                .isEqualTo(3);
    }

    @Test
    @DisplayName("is left to a later page if too many inboxes wait")
    void manyReaders() {
        store.before(COMPARED, this::hang);
        page("ann");
        await().untilAsserted(() -> assertThat(store.calls(COMPARED)).isEqualTo(1));
        for (int i = 0; i < 1000; i++) {
            engine.follow("reader" + i, "bob");
            page("reader" + i);
        }
        clock.advance(INTERVAL);
        for (int i = 0; i < 1000; i++) {
            page("reader" + i);
        }
        assertThat(page("amy")).isEmpty();
        answer.countDown();
        await().untilAsserted(() -> assertThat(page("amy")).containsExactly("p1"));
    }

    @Test
    @DisplayName("does not keep the engine open for longer than a lease")
    void closes() {
        store.before(COMPARED, this::hang);
        Duration lease = Duration.ofSeconds(1);
        try (LogCapture log = LogCapture.of(IdlingThread.class)) {
            FeedEngine other =
                    builder().workers(1).fanout(fanout -> fanout.lease(lease)).build();
            other.read("ann", PageRequest.first(10));
            await().untilAsserted(() -> assertThat(store.calls(COMPARED)).isEqualTo(1));
            other.read("amy", PageRequest.first(10));
            other.close();
            assertThat(log.messages(Level.WARN))
                    .containsExactly(
                            "closed after waiting PT1S for the thread reconciling-inboxes: it hangs in the store");
            answer.countDown();
        }
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("reconciling-inboxes")));
        assertThat(store.calls(COMPARED)).isEqualTo(1);
    }

    @Test
    @DisplayName("of a reader who only polls for newer posts waits for the maximum age of an inbox")
    void polling() {
        Cursor cursor = engine.read("ann", PageRequest.first(10).until(Cursor.of(Post.of("bob", "p0", 1))))
                .newer();
        store.heal();
        await().untilAsserted(() -> assertThat(slice("ann").posts()).hasSize(1));
        inbox.retract(List.of(new Inbox.Retraction(slice("ann").posts().get(0), List.of("ann"))));
        clock.advance(FeedEngineBuilder.DEFAULT_MAX_INBOX_AGE.minusMinutes(1));
        int compared = store.calls(COMPARED);
        engine.read("ann", PageRequest.newer(cursor, 10));
        assertThat(store.calls(COMPARED)).isEqualTo(compared);
        clock.advance(Duration.ofMinutes(2));
        engine.read("ann", PageRequest.newer(cursor, 10));
        await().untilAsserted(() -> assertThat(slice("ann").posts()).hasSize(1));
    }

    private Inbox.Slice slice(String reader) {
        return inbox.slice(List.of(new Inbox.SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 10, false)))
                .get(0);
    }

    @Test
    @DisplayName("belongs to the page on an engine without workers")
    void withoutWorkers() {
        try (FeedEngine other = builder().workers(0).build()) {
            assertThat(other.read("ann", PageRequest.first(10)).items())
                    .extracting(Post::id)
                    .containsExactly("p1");
        }
    }
}
