package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.QueueTraffic;
import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.QueuedFanout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Fan-out through a queue")
@Timeout(60)
class QueuedFanoutTest {

    private static final int FOLLOWERS = 30;

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final InMemoryFanoutQueue queue = InMemoryFanoutQueue.create();
    private final Map<String, Integer> delivered = new ConcurrentHashMap<>();
    private final List<QueueTraffic> traffic = new CopyOnWriteArrayList<>();
    private final AtomicInteger claims = new AtomicInteger();

    /** Engines that look into the log so seldom that all tasks come through the queue. */
    private FeedEngineBuilder builder(FanoutQueue queue) {
        return builder(QueuedFanout.over(queue));
    }

    private FeedEngineBuilder builder(QueuedFanout queued) {
        return builder(queued, Duration.ofSeconds(1));
    }

    private FeedEngineBuilder builder(FanoutQueue queue, Duration pollInterval) {
        return builder(QueuedFanout.over(queue), pollInterval);
    }

    private FeedEngineBuilder builder(QueuedFanout queued, Duration pollInterval) {
        return FeedEngine.builder(store)
                .clock(clock)
                .fanout(fanout -> fanout.pollInterval(pollInterval))
                .fanoutQueue(queued)
                .listener(new FeedListener() {
                    @Override
                    public void delivered(PostDelivered event) {
                        event.readers()
                                .forEach(reader ->
                                        delivered.merge(event.post().id() + " to " + reader, 1, Integer::sum));
                    }

                    @Override
                    public void queueTraffic(QueueTraffic event) {
                        traffic.add(event);
                    }
                });
    }

    private static void follow(FeedEngine engine, String author, int followers) {
        for (int i = 0; i < followers; i++) {
            engine.follow("reader" + i, author);
            engine.read("reader" + i, PageRequest.first(1));
        }
    }

    private void awaitDelivered(int entries) {
        await().until(delivered::size, size -> size == entries);
        assertThat(delivered.values()).containsOnly(1);
    }

    private static void awaitDone(FeedEngine engine) {
        await().until(() -> engine.fanout().backlog().tasks() == 0);
    }

    @Test
    @DisplayName("reaches every follower, and its messages are acknowledged")
    void delivers() {
        try (FeedEngine engine = builder(queue).workers(2).build()) {
            follow(engine, "bob", FOLLOWERS);
            IntStream.range(0, 50).forEach(i -> engine.publish("bob", "p" + i));
            awaitDelivered(50 * FOLLOWERS);
            awaitDone(engine);
            QueueTraffic total = QueueTraffic.builder().lent(50).taken(50).build();
            await().untilAsserted(
                            () -> assertThat(engine.fanout().backlog().queue()).isEqualTo(total));
            await().untilAsserted(() -> assertThat(traffic.stream().reduce(QueueTraffic.NONE, QueueTraffic::plus))
                    .isEqualTo(total));
        }
        assertThat(queue.waiting(Lane.SMALL)).isZero();
        assertThat(queue.waiting(Lane.BULK)).isZero();
    }

    @Test
    @DisplayName("works with the publisher, the relay and the workers in different engines")
    void apart() {
        try (FeedEngine publisher = builder(QueuedFanout.over(queue).relay(false), Duration.ofMillis(20))
                        .workers(0)
                        .build();
                FeedEngine relay =
                        builder(queue, Duration.ofMillis(20)).workers(0).build();
                FeedEngine one = builder(QueuedFanout.over(queue).relay(false), Duration.ofMillis(20))
                        .workers(1)
                        .build();
                FeedEngine other = builder(QueuedFanout.over(queue).relay(false), Duration.ofMillis(20))
                        .workers(1)
                        .build()) {
            follow(publisher, "bob", FOLLOWERS);
            IntStream.range(0, 20).forEach(i -> publisher.publish("bob", "p" + i));
            awaitDelivered(20 * FOLLOWERS);
            awaitDone(relay);
            // A worker that gets no message for a while looks into the log, so not every task need be lent. The relay
            // counts what it has sent after the queue has it, so a worker may be sooner.
            await().untilAsserted(() -> {
                long lent = relay.fanout().backlog().queue().lent();
                assertThat(lent).isPositive();
                assertThat(one.fanout().backlog().queue().taken()
                                + other.fanout().backlog().queue().taken())
                        .isEqualTo(lent);
            });
        }
    }

    @Test
    @DisplayName("leaves no thread behind if the queue lets nobody receive")
    void cannotStart() {
        queue.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> builder(queue).name("unstarted").workers(2).build());
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("unstarted")));
    }

    @Test
    @DisplayName("lets the parts of a huge fan-out travel in the lane of their own")
    void parts() {
        try (FeedEngine engine = builder(queue)
                .workers(1)
                .fanout(fanout -> fanout.splitThreshold(5).batchSize(2))
                .build()) {
            follow(engine, "bob", FOLLOWERS);
            engine.fanout().pause();
            engine.publish("bob", "huge");
            await().until(() -> queue.waiting(Lane.SMALL) == 1);
            engine.fanout().resume();
            awaitDelivered(FOLLOWERS);
            awaitDone(engine);
            assertThat(engine.fanout().backlog().queue().taken()).isGreaterThan(3);
        }
    }

    @Test
    @DisplayName("keeps the queue short while a long backlog waits in the log")
    void window() {
        try (FeedEngine engine = builder(
                        QueuedFanout.over(queue).lendingWindow(16).relay(false))
                .workers(1)
                .build()) {
            engine.follow("reader", "bob");
            engine.read("reader", PageRequest.first(1));
            engine.fanout().pause();
            IntStream.range(0, 500).forEach(i -> engine.publish("bob", "p" + i));
            try (FeedEngine relay = builder(QueuedFanout.over(queue).lendingWindow(16))
                    .workers(0)
                    .build()) {
                await().until(() -> queue.waiting(Lane.SMALL) == 16);
                Backlog backlog = relay.fanout().backlog();
                assertThat(backlog.lent()).isEqualTo(16);
                assertThat(backlog.due()).isEqualTo(500);
                engine.fanout().resume();
                awaitDelivered(500);
            }
        }
    }

    @Test
    @DisplayName("works without the queue, and returns to it by itself")
    void unreachable() {
        Cut cut = new Cut(queue);
        try (FeedEngine engine = builder(cut, Duration.ofMillis(100)).workers(1).build()) {
            follow(engine, "bob", FOLLOWERS);
            cut.status = FanoutQueue.Status.UNREACHABLE;
            engine.publish("bob", "p1");
            awaitDelivered(FOLLOWERS);
            awaitDone(engine);
            QueueTraffic without = engine.fanout().backlog().queue();
            assertThat(without.blocked()).isTrue();
            await().untilAsserted(() -> assertThat(traffic).anyMatch(QueueTraffic::blocked));
            cut.status = FanoutQueue.Status.OPEN;
            await().until(() -> traffic.stream()
                    .reduce((first, last) -> last)
                    .filter(last -> !last.blocked())
                    .isPresent());
            engine.publish("bob", "p2");
            awaitDelivered(2 * FOLLOWERS);
            assertThat(engine.fanout().backlog().queue().taken()).isEqualTo(without.taken() + 1);
        }
    }

    @Test
    @DisplayName("tells the listener of a worker that does not relay when the queue cannot be used, and can again")
    void workerIsTold() {
        Cut cut = new Cut(queue);
        try (FeedEngine worker = builder(QueuedFanout.over(cut).relay(false), Duration.ofMillis(20))
                .workers(1)
                .build()) {
            cut.status = FanoutQueue.Status.BLOCKED;
            await().until(() -> traffic.size() == 1);
            assertThat(traffic.get(0).blocked()).isTrue();
            cut.status = FanoutQueue.Status.OPEN;
            await().until(() -> traffic.size() == 2);
            assertThat(traffic.get(1).blocked()).isFalse();
            assertThat(worker.fanout().backlog().queue()).isEqualTo(QueueTraffic.NONE);
        }
    }

    @Test
    @DisplayName("sends a task again soon after its loan has run out, although nothing else happens")
    void lapsedIsFoundSoon() {
        try (FeedEngine relay =
                builder(queue, Duration.ofMillis(200)).workers(0).build()) {
            relay.follow("reader", "bob");
            relay.read("reader", PageRequest.first(1));
            relay.publish("bob", "p1");
            await().until(() -> queue.waiting(Lane.SMALL) == 1);
            // An idle relay would rest for seconds after so many looks.
            int looks = store.calls("FanoutLog.lend");
            await().until(() -> store.calls("FanoutLog.lend") >= looks + 12);
            clock.advance(QueuedFanout.DEFAULT_LOAN.plusMillis(1));
            await().atMost(Duration.ofMillis(900)).until(() -> queue.waiting(Lane.SMALL) == 2);
        }
    }

    @Test
    @DisplayName("goes on in the log if the queue refuses messages, and returns what was not confirmed at once")
    void refused() {
        Cut cut = new Cut(queue);
        cut.answers = answers -> Collections.nCopies(answers.size(), Sent.REFUSED);
        try (FeedEngine engine = builder(QueuedFanout.over(cut).loan(Duration.ofHours(1)), Duration.ofMillis(20))
                .workers(1)
                .build()) {
            follow(engine, "bob", FOLLOWERS);
            engine.publish("bob", "p1");
            awaitDelivered(FOLLOWERS);
            awaitDone(engine);
            assertThat(engine.fanout().backlog().queue().unconfirmed()).isPositive();
            assertThat(engine.fanout().backlog().lent()).isZero();
        }
    }

    @Test
    @DisplayName("refuses messages that come twice, and those whose loan was returned because nobody confirmed them")
    void twiceAndUnconfirmed() {
        Cut cut = new Cut(queue);
        cut.sending = messages -> {
            List<Message> twice = new ArrayList<>(messages);
            twice.addAll(messages);
            Collections.shuffle(twice, new java.util.Random(7));
            return twice;
        };
        AtomicInteger sends = new AtomicInteger();
        cut.answers = answers ->
                sends.incrementAndGet() % 3 == 0 ? Collections.nCopies(answers.size(), Sent.UNKNOWN) : answers;
        try (FeedEngine engine = builder(QueuedFanout.over(cut).loan(Duration.ofHours(1)), Duration.ofMillis(20))
                .workers(2)
                .build()) {
            follow(engine, "bob", FOLLOWERS);
            for (int i = 0; i < 40; i++) {
                engine.publish("bob", "p" + i);
                clock.advance(Duration.ofMillis(200));
            }
            await().until(() -> {
                clock.advance(Duration.ofMillis(200));
                return delivered.size() == 40 * FOLLOWERS;
            });
            assertThat(delivered.values()).containsOnly(1);
            awaitDone(engine);
            assertThat(engine.fanout().backlog().queue().refused()).isPositive();
            assertThat(engine.fanout().backlog().deadLetters()).isZero();
        }
    }

    @Test
    @DisplayName("sends again what the queue has lost, when the loan has run out, and counts no attempt")
    void lost() {
        Cut cut = new Cut(queue);
        cut.sending = messages -> List.of();
        try (FeedEngine relay = builder(cut, Duration.ofMillis(20)).workers(0).build()) {
            follow(relay, "bob", FOLLOWERS);
            relay.publish("bob", "p1");
            await().until(() -> relay.fanout().backlog().lent() == 1);
            clock.advance(QueuedFanout.DEFAULT_LOAN);
            await().until(() -> relay.fanout().backlog().queue().lapsed() == 1);
            assertThat(relay.fanout().backlog().queue().lent()).isEqualTo(2);
            cut.sending = UnaryOperator.identity();
            clock.advance(QueuedFanout.DEFAULT_LOAN);
            try (FeedEngine worker = builder(QueuedFanout.over(cut).relay(false), Duration.ofMillis(20))
                    .workers(1)
                    .fanout(fanout -> fanout.maxAttempts(1))
                    .build()) {
                awaitDelivered(FOLLOWERS);
                assertThat(worker.fanout().backlog().deadLetters()).isZero();
            }
        }
    }

    @Test
    @DisplayName("moves messages that cannot be read to the dead letters, and goes on with the others")
    void unreadable() {
        try (FeedEngine engine = builder(queue).workers(1).build()) {
            follow(engine, "bob", FOLLOWERS);
            String own = "1:" + store.outbox().identity();
            List<String> texts = List.of(
                    "2:a:1:task", "hello", "1:1:task", own + ":xyz:task", own + ":1:", own + ":11111111111111111:t");
            queue.send(texts.stream().map(text -> new Message(Lane.SMALL, text)).toList());
            queue.send(List.of(new Message(Lane.BULK, own + ":1:no-such-task")));
            engine.publish("bob", "p1");
            awaitDelivered(FOLLOWERS);
            await().untilAsserted(() -> assertThat(queue.deadLetters()).containsExactlyInAnyOrderElementsOf(texts));
            await().untilAsserted(() -> assertThat(engine.fanout().backlog().queue())
                    .isEqualTo(QueueTraffic.builder()
                            .lent(1)
                            .taken(1)
                            .refused(1)
                            .unreadable(6)
                            .build()));
        }
    }

    @Test
    @DisplayName("moves tasks of another deployment to the dead letters and counts them; the owner sends them again")
    void foreign() {
        try (FeedEngine relay = builder(queue, Duration.ofMillis(20)).workers(0).build()) {
            follow(relay, "bob", FOLLOWERS);
            try (FeedEngine stranger = FeedEngine.builder(InMemoryFeedStore.create(clock))
                    .clock(clock)
                    .fanoutQueue(QueuedFanout.over(queue).relay(false))
                    .workers(1)
                    .build()) {
                relay.publish("bob", "p1");
                await().untilAsserted(() -> assertThat(
                                stranger.fanout().backlog().queue())
                        .isEqualTo(QueueTraffic.builder().foreign(1).build()));
            }
            assertThat(queue.deadLetters())
                    .singleElement()
                    .asString()
                    .startsWith("1:" + store.outbox().identity() + ":");
            assertThat(relay.fanout().backlog().tasks()).isOne();
            clock.advance(Duration.ofMinutes(2));
            try (FeedEngine worker = builder(QueuedFanout.over(queue).relay(false), Duration.ofMillis(20))
                    .workers(1)
                    .build()) {
                awaitDelivered(FOLLOWERS);
                assertThat(worker.fanout().backlog().queue().foreign()).isZero();
            }
        }
    }

    @Test
    @DisplayName("leaves the messages to other engines while this one is paused, and after it was closed")
    void paused() {
        try (FeedEngine relay = builder(queue).workers(0).build()) {
            follow(relay, "bob", FOLLOWERS);
            FeedEngine one =
                    builder(QueuedFanout.over(queue).relay(false)).workers(1).build();
            one.fanout().pause();
            relay.publish("bob", "p1");
            await().until(() -> queue.waiting(Lane.SMALL) == 1);
            one.fanout().resume();
            awaitDelivered(FOLLOWERS);
            one.close();
            relay.publish("bob", "p2");
            await().until(() -> queue.waiting(Lane.SMALL) == 1);
            try (FeedEngine other =
                    builder(QueuedFanout.over(queue).relay(false)).workers(1).build()) {
                awaitDelivered(2 * FOLLOWERS);
                awaitDone(other);
            }
        }
    }

    @Test
    @DisplayName("finds work in the log if no relay sends any")
    void noRelay() {
        try (FeedEngine engine = builder(QueuedFanout.over(queue).relay(false), Duration.ofMillis(20))
                .workers(1)
                .build()) {
            follow(engine, "bob", FOLLOWERS);
            engine.publish("bob", "p1");
            awaitDelivered(FOLLOWERS);
            assertThat(engine.fanout().backlog().queue().taken()).isZero();
        }
    }

    @Test
    @DisplayName("keeps messages whose tasks could not be taken because the log was down")
    void logDown() {
        try (FeedEngine engine =
                builder(queue, Duration.ofMillis(20)).workers(1).build()) {
            follow(engine, "bob", FOLLOWERS);
            store.fail("FanoutLog.take");
            engine.publish("bob", "p1");
            await().until(() -> store.calls("FanoutLog.take") > 0);
            store.heal();
            awaitDelivered(FOLLOWERS);
            awaitDone(engine);
            assertThat(engine.fanout().backlog().queue().refused()).isZero();
        }
    }

    @Test
    @DisplayName("is drained when no task is due or lent")
    void drained() {
        try (FeedEngine engine = builder(queue).workers(1).build()) {
            follow(engine, "bob", FOLLOWERS);
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 10; i++) {
                    engine.publish("bob", "p" + round + "-" + i);
                }
                engine.fanout().drain();
                assertThat(delivered).hasSize((round + 1) * 10 * FOLLOWERS);
            }
        }
    }

    @Test
    @DisplayName("asks the log far less often than direct claims if there is nothing to do")
    void idle() {
        ProbedStore other = new ProbedStore(InMemoryFeedStore.create(clock));
        AtomicInteger direct = new AtomicInteger();
        other.before("FanoutLog.claim", direct::incrementAndGet);
        store.before("FanoutLog.claim", claims::incrementAndGet);
        store.before("FanoutLog.lend", claims::incrementAndGet);
        try (FeedEngine claiming = FeedEngine.builder(other)
                        .fanout(fanout -> fanout.pollInterval(Duration.ofMillis(20)))
                        .build();
                FeedEngine engine = builder(queue, Duration.ofMillis(20)).build()) {
            // The claims of an engine of its own tell the time.
            await().until(() -> direct.get() >= 200);
            assertThat(claims.get()).isLessThan(40);
            assertThat(claiming.fanout().backlog().tasks()).isZero();
            assertThat(engine.fanout().backlog().tasks()).isZero();
        }
    }

    @Test
    @DisplayName("is drained in bounded time, also if nobody receives what is lent")
    void drainedWithoutReceivers() {
        try (FeedEngine engine = builder(QueuedFanout.over(queue).loan(Duration.ofSeconds(1)))
                .workers(0)
                .build()) {
            follow(engine, "bob", FOLLOWERS);
            engine.publish("bob", "p1");
            await().until(() -> engine.fanout().backlog().lent() == 1);
            // The store's clock stands still, so the loan never runs out.
            assertThat(engine.fanout().drain()).isZero();
            assertThat(engine.fanout().backlog().lent()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("receives nothing after the end of the engine, also if its pause is ended then")
    void resumedAfterClose() {
        Cut cut = new Cut(queue);
        FeedEngine engine = builder(cut).workers(1).build();
        assertThat(cut.subscriptions).hasValue(2);
        engine.fanout().pause();
        assertThat(cut.subscriptions).hasValue(0);
        engine.close();
        engine.fanout().resume();
        assertThat(cut.subscriptions).hasValue(0);
    }

    /** A queue whose messages and answers tests change. */
    private static final class Cut implements FanoutQueue {
        private final FanoutQueue sound;
        final AtomicInteger subscriptions = new AtomicInteger();
        volatile Status status = Status.OPEN;
        volatile UnaryOperator<List<Message>> sending = UnaryOperator.identity();
        volatile UnaryOperator<List<Sent>> answers = UnaryOperator.identity();

        Cut(FanoutQueue sound) {
            this.sound = sound;
        }

        @Override
        public List<Sent> send(List<Message> messages) {
            sound.send(sending.apply(messages));
            return answers.apply(Collections.nCopies(messages.size(), Sent.CONFIRMED));
        }

        @Override
        public Subscription receive(Lane lane, int most, Runnable arrived) {
            Subscription subscription = sound.receive(lane, most, arrived);
            subscriptions.incrementAndGet();
            return new Subscription() {
                @Override
                public List<Received> poll(int max) {
                    return status == Status.OPEN ? subscription.poll(max) : List.of();
                }

                @Override
                public void acknowledge(Collection<? extends Received> messages) {
                    subscription.acknowledge(messages);
                }

                @Override
                public void refuse(Collection<? extends Received> messages, String reason) {
                    subscription.refuse(messages, reason);
                }

                @Override
                public void close() {
                    subscriptions.decrementAndGet();
                    subscription.close();
                }
            };
        }

        @Override
        public Status status() {
            return status;
        }

        @Override
        public void close() {
            sound.close();
        }
    }
}
