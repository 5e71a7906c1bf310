package io.feedkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.feedkit.event.DeliveryLossSuspected;
import io.feedkit.event.FeedListener;
import io.feedkit.internal.host.IdlingThread;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("While an inbox store does not answer whether deliveries were lost, and does everything else,")
class UnansweredLossQuestionTest {

    private static final String QUESTION = "Inbox.deliveriesSafeSince";
    private static final int POSTS = 100;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final AtomicLong safeSince = new AtomicLong();
    private final ProbedStore store =
            new ProbedStore(FeedStore.of(memory.outbox(), this::inbox, memory.graph(), memory.seenMarks()));
    private final CountDownLatch answer = new CountDownLatch(1);

    @BeforeEach
    void hang() {
        try (FeedEngine engine = builder().workers(0).build()) {
            engine.follow("ann", "bob");
            engine.read("ann", PageRequest.first(1));
        }
        store.before(QUESTION, () -> hang(answer));
    }

    private static void hang(CountDownLatch release) {
        try {
            assertThat(release.await(50, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Inbox inbox(InboxLimits limits) {
        Inbox target = memory.inbox(limits);
        return (Inbox) Proxy.newProxyInstance(
                Inbox.class.getClassLoader(),
                new Class<?>[] {Inbox.class},
                (proxy, method, arguments) -> method.getName().equals("deliveriesSafeSince")
                        ? safeSince.get()
                        : method.invoke(target, arguments));
    }

    @AfterEach
    void answer() {
        answer.countDown();
    }

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store).name("asking").clock(clock);
    }

    private static int posts(FeedEngine engine) {
        return engine.read("ann", PageRequest.first(PageRequest.MAX_LIMIT))
                .items()
                .size();
    }

    @Test
    @DisplayName("one worker delivers, and publishing does not wait")
    void worker() {
        try (FeedEngine engine = builder()
                .workers(1)
                .fanout(fanout -> fanout.pollInterval(Duration.ofMillis(10)))
                .build()) {
            for (int i = 0; i < POSTS; i++) {
                // Each time a question would be due.
                clock.advance(PAUSE);
                engine.publish("bob", "p" + i);
            }
            await().until(() -> posts(engine) == POSTS);
            assertThat(store.calls(QUESTION)).isEqualTo(1);
            assertThat(answer.getCount()).isEqualTo(1);
            answer.countDown();
        }
    }

    @Test
    @DisplayName("readers of an engine without workers get their pages, and a drain ends")
    void reader() {
        try (FeedEngine engine = builder().workers(0).build()) {
            for (int i = 0; i < POSTS; i++) {
                clock.advance(PAUSE);
                engine.publish("bob", "p" + i);
                engine.fanout().drain();
                assertThat(posts(engine)).isEqualTo(i + 1);
            }
            assertThat(store.calls(QUESTION)).isEqualTo(1);
            answer.countDown();
        }
    }

    @Test
    @DisplayName("the engine closes after a lease, and says so; its thread ends with the answer")
    void closes() {
        Duration lease = Duration.ofSeconds(1);
        try (LogCapture log = LogCapture.of(IdlingThread.class)) {
            FeedEngine engine =
                    builder().workers(0).fanout(fanout -> fanout.lease(lease)).build();
            engine.fanout().drain();
            long begun = System.nanoTime();
            engine.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isBetween(lease.minusMillis(100), lease.plusSeconds(10));
            assertThat(log.messages(Level.WARN))
                    .containsExactly("closed after waiting PT1S for the thread asking-losses: it hangs in the store");
            answer.countDown();
            await().until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("asking-losses")));
        }
    }

    @Test
    @DisplayName("a loss is noticed when the answer comes")
    void answered() {
        List<DeliveryLossSuspected> losses = new CopyOnWriteArrayList<>();
        FeedListener listener = new FeedListener() {
            @Override
            public void deliveryLossSuspected(DeliveryLossSuspected event) {
                losses.add(event);
            }
        };
        try (FeedEngine engine = builder().workers(0).listener(listener).build()) {
            engine.publish("bob", "p1");
            engine.fanout().drain();
            safeSince.set(clock.millis());
            answer.countDown();
            await().untilAsserted(() -> {
                clock.advance(Duration.ofMillis(Inbox.LOSS_NOTICED_WITHIN_MILLIS));
                engine.fanout().drain();
                assertThat(losses).containsExactly(DeliveryLossSuspected.of(ManualClock.START, 1));
            });
        }
    }
}
