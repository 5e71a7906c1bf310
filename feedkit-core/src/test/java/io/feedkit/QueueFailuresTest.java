package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import io.feedkit.fanout.QueueTraffic;
import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.queue.QueuedFanout;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A queue that breaks its contract")
@Timeout(60)
class QueueFailuresTest {

    private static final Duration LOAN = Duration.ofMinutes(1);

    /** Workers look into the log every four seconds if no message comes. */
    private static final Duration POLL = Duration.ofMillis(200);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);
    private final Map<String, Integer> delivered = new ConcurrentHashMap<>();
    private final Broken queue = new Broken();

    private FeedEngineBuilder builder(boolean relay) {
        return FeedEngine.builder(store)
                .clock(clock)
                .fanout(fanout -> fanout.pollInterval(POLL))
                .fanoutQueue(QueuedFanout.over(queue).loan(LOAN).relay(relay))
                .listener(new FeedListener() {
                    @Override
                    public void delivered(PostDelivered event) {
                        event.readers()
                                .forEach(reader -> delivered.merge(event.post().id(), 1, Integer::sum));
                    }
                });
    }

    private void follow(FeedEngine engine) {
        engine.follow("reader", "bob");
        engine.read("reader", PageRequest.first(1));
    }

    private void awaitDelivered(String post) {
        await().until(() -> delivered.containsKey(post));
        assertThat(delivered.values()).containsOnly(1);
    }

    private static QueueTraffic traffic(FeedEngine engine) {
        return engine.fanout().backlog().queue();
    }

    @Test
    @DisplayName("and confirms messages without delivering them delays posts by two loans, and counts as blocked")
    void deliversNothing() {
        queue.losing = true;
        try (FeedEngine engine = builder(true).workers(1).build()) {
            follow(engine);
            engine.publish("bob", "p1");
            await().until(() -> engine.fanout().backlog().lent() == 1);
            clock.advance(LOAN);
            await().until(() -> traffic(engine).lapsed() == 1);
            assertThat(traffic(engine).blocked()).isFalse();
            clock.advance(LOAN);
            awaitDelivered("p1");
            await().untilAsserted(() -> assertThat(traffic(engine))
                    .isEqualTo(QueueTraffic.builder()
                            .lent(2)
                            .lapsed(2)
                            .undelivered(1)
                            .blocked(true)
                            .build()));
            for (int i = 2; i < 5; i++) {
                engine.publish("bob", "p" + i);
                awaitDelivered("p" + i);
            }
        }
    }

    @Test
    @DisplayName("is tried with one task after a loan, and used again when that has arrived")
    void deliversAgain() {
        queue.losing = true;
        try (FeedEngine engine = builder(true).workers(0).build()) {
            follow(engine);
            engine.publish("bob", "p1");
            engine.publish("bob", "p2");
            await().until(() -> engine.fanout().backlog().lent() == 2);
            clock.advance(LOAN);
            await().until(() -> traffic(engine).lapsed() == 2);
            clock.advance(LOAN);
            await().until(() -> traffic(engine).undelivered() == 2);
            assertThat(traffic(engine).blocked()).isTrue();
            assertThat(engine.fanout().backlog().lent()).isZero();
            clock.advance(LOAN);
            await().until(() -> engine.fanout().backlog().lent() == 1);
            // The loan of the test is returned early, for direct claims.
            clock.advance(LOAN.dividedBy(4));
            await().until(() -> engine.fanout().backlog().lent() == 0);
            queue.losing = false;
            clock.advance(LOAN.multipliedBy(2));
            await().until(() -> queue.sound.waiting(Lane.SMALL) == 1);
            assertThat(traffic(engine).blocked()).isTrue();
            try (FeedEngine worker = builder(false).workers(1).build()) {
                await().until(() -> !delivered.isEmpty());
                clock.advance(LOAN.dividedBy(4));
                await().until(() -> !traffic(engine).blocked());
                await().until(() -> delivered.keySet().equals(Set.of("p1", "p2")));
                assertThat(traffic(worker).undelivered()).isZero();
            }
            assertThat(delivered.values()).containsOnly(1);
        }
    }

    @Test
    @DisplayName("and loses a single message stays in use, because workers have received others")
    void losesOne() {
        try (FeedEngine engine = builder(true).workers(1).build()) {
            follow(engine);
            queue.losing = true;
            engine.publish("bob", "lost");
            await().until(() -> engine.fanout().backlog().lent() == 1);
            clock.advance(LOAN);
            await().until(() -> traffic(engine).lapsed() == 1);
            queue.losing = false;
            engine.publish("bob", "p1");
            awaitDelivered("p1");
            clock.advance(LOAN.minusMillis(1));
            engine.publish("bob", "p2");
            awaitDelivered("p2");
            clock.advance(Duration.ofMillis(1));
            awaitDelivered("lost");
            assertThat(traffic(engine).undelivered()).isOne();
            assertThat(traffic(engine).blocked()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TEXT")
    @DisplayName("and throws from a call costs no task, no worker and no call of the host")
    void throwing(Call call) {
        try (LogCapture logs = LogCapture.of("io.feedkit.internal.relay")) {
            FeedEngine engine = builder(true).workers(1).build();
            follow(engine);
            if (call == Call.REFUSE) {
                queue.send(List.of(new Message(Lane.SMALL, "what?")));
            }
            queue.throwing = EnumSet.of(call);
            engine.publish("bob", "p1");
            if (call == Call.POLL) {
                // The relay may have sent the message before the first poll failed.
                await().until(() ->
                        delivered.containsKey("p1") || traffic(engine).blocked());
                clock.advance(LOAN);
            }
            awaitDelivered("p1");
            await().until(() -> engine.fanout().backlog().tasks() == 0);
            queue.throwing = EnumSet.of(call, Call.CLOSE);
            engine.close();
            assertThat(logs.messages(Level.WARN))
                    .filteredOn(message -> message.contains("of the fan-out queue failed"))
                    .hasSizeLessThanOrEqualTo(1);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("feedkit-fanout") || name.startsWith("feedkit-relay"));
    }

    @Test
    @DisplayName("and cannot return the text of a message makes a dead letter of it, and the workers go on")
    void textless() {
        try (FeedEngine engine = builder(true).workers(1).build()) {
            follow(engine);
            queue.throwing = Set.of(Call.TEXT);
            engine.publish("bob", "p1");
            await().until(() -> traffic(engine).unreadable() == 1);
            assertThat(queue.sound.deadLetters()).hasSize(1);
            queue.throwing = Set.of();
            engine.publish("bob", "p2");
            awaitDelivered("p2");
        }
    }

    @Test
    @DisplayName("and cannot return its status counts as blocked")
    void statusUnknown() {
        try (FeedEngine engine = builder(true).workers(1).build()) {
            for (Set<Call> calls : List.of(Set.of(Call.STATUS), Set.of(Call.NULLS))) {
                queue.throwing = calls;
                assertThat(traffic(engine).blocked()).isTrue();
                queue.throwing = Set.of();
                // Each call that has failed must succeed once.
                await().until(() -> !traffic(engine).blocked());
            }
        }
    }

    /** A call of the queue that does what it must not. */
    enum Call {
        SEND,
        POLL,
        TEXT,
        ACKNOWLEDGE,
        REFUSE,
        STATUS,
        CLOSE,
        /** Every call that has an answer returns null. */
        NULLS,
        /** A send has fewer answers than messages. */
        TOO_FEW
    }

    /** Throws when it is asked for its text, as careless code may. */
    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    /** A queue that does not keep to its contract. */
    private static final class Broken implements FanoutQueue {

        final InMemoryFanoutQueue sound = InMemoryFanoutQueue.create();
        volatile boolean losing;
        volatile Set<Call> throwing = Set.of();

        private void enter(Call call) {
            if (throwing.contains(call)) {
                throw new Unprintable();
            }
        }

        @SuppressWarnings("NullAway") // The contract says otherwise.
        private <T> T answer(@Nullable T answer) {
            return throwing.contains(Call.NULLS) ? null : answer;
        }

        @Override
        public List<Sent> send(List<Message> messages) {
            enter(Call.SEND);
            if (throwing.contains(Call.TOO_FEW)) {
                return List.of();
            }
            return answer(losing ? Collections.nCopies(messages.size(), Sent.CONFIRMED) : sound.send(messages));
        }

        @Override
        public Subscription receive(Lane lane, int most, Runnable arrived) {
            Subscription subscription = sound.receive(lane, most, arrived);
            return new Subscription() {
                @Override
                public List<Received> poll(int max) {
                    enter(Call.POLL);
                    return answer(subscription.poll(max).stream()
                            .<Received>map(message -> new Textless(message))
                            .toList());
                }

                @Override
                public void acknowledge(Collection<? extends Received> messages) {
                    enter(Call.ACKNOWLEDGE);
                    subscription.acknowledge(Textless.sound(messages));
                }

                @Override
                public void refuse(Collection<? extends Received> messages, String reason) {
                    enter(Call.REFUSE);
                    subscription.refuse(Textless.sound(messages), reason);
                }

                @Override
                public void close() {
                    subscription.close();
                    enter(Call.CLOSE);
                }
            };
        }

        @Override
        public Status status() {
            enter(Call.STATUS);
            return answer(Status.OPEN);
        }

        @Override
        public void close() {
            sound.close();
        }

        private final class Textless implements FanoutQueue.Received {
            private final FanoutQueue.Received message;

            Textless(FanoutQueue.Received message) {
                this.message = message;
            }

            static List<FanoutQueue.Received> sound(Collection<? extends FanoutQueue.Received> messages) {
                return messages.stream().map(each -> ((Textless) each).message).toList();
            }

            @Override
            public String text() {
                enter(Call.TEXT);
                return answer(message.text());
            }
        }
    }
}
