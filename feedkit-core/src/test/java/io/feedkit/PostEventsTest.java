package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.feedkit.internal.relay.PostEventSender;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.PostEvent;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PostEventLog;
import io.feedkit.spi.PostEventLog.Unsent;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Events of posts for other services")
@Timeout(60)
class PostEventsTest {

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore sound = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(sound);
    private final PostEventLog log =
            sound.outbox().recordingEvents().map(EventRecording::log).orElseThrow();
    private final CollectedEvents sink = new CollectedEvents();

    private FeedEngineBuilder builder() {
        return builder(Duration.ofMillis(20));
    }

    private FeedEngineBuilder builder(Duration pollInterval) {
        return FeedEngine.builder(store)
                .clock(clock)
                .fanout(fanout -> fanout.pollInterval(pollInterval))
                .workers(0);
    }

    private FeedEngine engine() {
        return builder().postEvents(sink).build();
    }

    private void awaitAllSent() {
        await().until(() -> log.unsent().equals(new Unsent(0, 0)));
    }

    private static void publish(FeedEngine engine, int count) {
        IntStream.range(0, count).forEach(i -> engine.publish("bob", "p" + i));
    }

    @Test
    @DisplayName("tell of posts that are published, imported and deleted, also without followers, each once")
    void told() {
        try (FeedEngine engine = engine()) {
            engine.publish("bob", "p1");
            engine.importPosts(List.of(new Post("bob", "p0", clock.instant())));
            engine.publish("bob", "p1");
            engine.delete("bob", "p1");
            engine.delete("bob", "p1");
            engine.delete("bob", "never-published");
            engine.publish("bob", "p1");
            engine.forget("bob");
            awaitAllSent();
        }
        assertThat(sink.told())
                .containsExactlyInAnyOrder("CREATED bob/p1", "CREATED bob/p0", "DELETED bob/p1", "DELETED bob/p0");
        assertThat(sink.confirmed)
                .extracting(PostEvent::post)
                .containsOnly(new Post("bob", "p1", clock.instant()), new Post("bob", "p0", clock.instant()));
        assertThat(sink.confirmed).extracting(PostEvent::recordedAt).containsOnly(clock.instant());
        assertThat(sink.closed).isFalse();
    }

    @Test
    @DisplayName("are recorded in the host's transaction, and sent soon after its commit, whatever the poll interval")
    void inTransactions() {
        try (FeedEngine engine = builder(Duration.ofHours(1)).postEvents(sink).build()) {
            InMemoryTransaction transaction = sound.begin();
            engine.publish(Post.of("bob", "p1", 0), transaction);
            InMemoryTransaction rolledBack = sound.begin();
            engine.publish(Post.of("bob", "p2", 0), rolledBack);
            await().pollDelay(Duration.ofMillis(50)).until(() -> true);
            assertThat(sink.seen).isEmpty();
            rolledBack.rollback();
            transaction.commit();
            await().until(() -> sink.confirmed.size() == 1);
            InMemoryTransaction deleting = sound.begin();
            engine.delete(new PostKey("bob", "p1"), deleting);
            deleting.commit();
            awaitAllSent();
        }
        assertThat(sink.told()).containsExactly("CREATED bob/p1", "DELETED bob/p1");
    }

    @Test
    @DisplayName("are not recorded by an engine without a sink")
    void withoutSink() {
        try (FeedEngine engine = builder().build()) {
            publish(engine, 3);
            engine.delete("bob", "p1");
        }
        assertThat(log.unsent()).isEqualTo(new Unsent(0, 0));
    }

    @Test
    @DisplayName("wait in the store while the sink refuses them, with growing pauses, and then all arrive")
    void refused() {
        sink.answers = CollectedEvents.REFUSE;
        try (FeedEngine engine = engine()) {
            engine.publish("bob", "p0");
            await().until(() -> sink.sends.get() == 1);
            for (int tries = 2; tries <= 5; tries++) {
                publish(engine, 10);
                await().pollDelay(Duration.ofMillis(100)).until(() -> true);
                assertThat(sink.sends).as("tries while the clock stands").hasValue(tries - 1);
                clock.advance(Duration.ofMillis(100L << (tries - 2)).minusMillis(1));
                engine.delete("bob", "no-post-but-it-wakes-the-sender");
                await().pollDelay(Duration.ofMillis(50)).until(() -> true);
                assertThat(sink.sends).as("tries before the pause is over").hasValue(tries - 1);
                clock.advance(Duration.ofMillis(1));
                int wanted = tries;
                await().until(() -> sink.sends.get() == wanted);
            }
            assertThat(log.unsent().events()).isEqualTo(10);
            sink.answers = CollectedEvents.CONFIRM;
            clock.advance(LONGEST_PAUSE);
            awaitAllSent();
        }
        assertThat(sink.told()).hasSize(10).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(
            value = Sent.class,
            names = {"REFUSED", "UNKNOWN"})
    @DisplayName("are sent again with the same id if they are not confirmed, and those that are confirmed are not")
    void partlyConfirmed(Sent other) {
        sink.answers = events -> events.stream()
                .map(event -> event.post().id().endsWith("1") ? other : Sent.CONFIRMED)
                .toList();
        try (FeedEngine engine = engine()) {
            publish(engine, 20);
            await().until(() -> {
                clock.advance(LONGEST_PAUSE);
                return sink.confirmed.size() == 18 && log.unsent().events() == 2;
            });
            sink.answers = CollectedEvents.CONFIRM;
            await().until(() -> {
                clock.advance(LONGEST_PAUSE);
                return log.unsent().events() == 0;
            });
        }
        assertThat(sink.told()).hasSize(20).doesNotHaveDuplicates();
        Set<PostEvent> different = new HashSet<>(sink.seen);
        assertThat(different).hasSize(20);
        assertThat(sink.seen).hasSizeGreaterThan(20);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("survive a sink that throws, and one that answers for too few of them")
    void brokenSink(boolean throwing) {
        sink.answers = events -> {
            if (throwing) {
                throw new IllegalStateException("the sink is down");
            }
            return List.of();
        };
        try (LogCapture logged = LogCapture.of(PostEventSender.class);
                FeedEngine engine = engine()) {
            publish(engine, 3);
            await().until(() -> sink.sends.get() >= 1);
            int sends = sink.sends.get();
            publish(engine, 3);
            await().pollDelay(Duration.ofMillis(100)).until(() -> true);
            assertThat(sink.sends).hasValue(sends);
            sink.answers = CollectedEvents.CONFIRM;
            clock.advance(LONGEST_PAUSE);
            awaitAllSent();
            assertWarned(logged);
        }
        assertThat(sink.told()).containsExactlyInAnyOrder("CREATED bob/p0", "CREATED bob/p1", "CREATED bob/p2");
    }

    private static void assertWarned(LogCapture logged) {
        assertThat(logged.messages(Level.WARN))
                .singleElement()
                .asString()
                .contains("post event sender round failed; the thread continues");
    }

    @Test
    @DisplayName("are shared by engines with the sink, and each is sent once")
    void shared() {
        CollectedEvents other = new CollectedEvents();
        try (FeedEngine one = engine();
                FeedEngine two = builder().postEvents(other).build()) {
            for (int i = 0; i < 500; i++) {
                (i % 2 == 0 ? one : two).publish("bob", "p" + i);
            }
            awaitAllSent();
        }
        List<String> both = new ArrayList<>(sink.told());
        both.addAll(other.told());
        assertThat(both).hasSize(500).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("are sent by another engine if the sink of one hangs, when the lease has run out")
    void hanging() throws InterruptedException {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        sink.answers = events -> {
            hangs.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return CollectedEvents.CONFIRM.apply(events);
        };
        CollectedEvents other = new CollectedEvents();
        try (FeedEngine engine = engine()) {
            engine.publish("bob", "p1");
            assertThat(hangs.await(10, TimeUnit.SECONDS)).isTrue();
            try (FeedEngine second = builder().postEvents(other).build()) {
                second.publish("bob", "p2");
                await().until(() -> other.told().equals(List.of("CREATED bob/p2")));
                clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
                await().until(() -> other.told().contains("CREATED bob/p1"));
            }
            goesOn.countDown();
            await().until(() -> sink.confirmed.size() == 1);
        } finally {
            goesOn.countDown();
        }
        assertThat(sink.confirmed.get(0).id()).isEqualTo(other.confirmed.get(1).id());
        assertThat(log.unsent().events()).isZero();
    }

    @Test
    @DisplayName("stay in the store when the engine is closed, and the next engine sends them")
    void closedBetween() {
        sink.answers = events -> Collections.nCopies(events.size(), Sent.UNKNOWN);
        try (FeedEngine engine = engine()) {
            publish(engine, 50);
            await().until(() -> sink.sends.get() >= 1);
        }
        assertThat(log.unsent().events()).isEqualTo(50);
        sink.answers = CollectedEvents.CONFIRM;
        try (FeedEngine next = engine()) {
            awaitAllSent();
            assertThat(next.readAuthor("bob", PageRequest.first(1)).items()).hasSize(1);
        }
        assertThat(sink.told()).hasSize(50).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("are sent again, with the same ids, if the store fails between the confirm and the end")
    void storeFails() {
        store.fail("PostEventLog.finish");
        try (LogCapture logged = LogCapture.of(PostEventSender.class);
                FeedEngine engine = engine()) {
            publish(engine, 5);
            await().until(() -> sink.confirmed.size() >= 5);
            store.heal();
            clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
            awaitAllSent();
            assertWarned(logged);
        }
        assertThat(sink.confirmed).hasSizeGreaterThan(5);
        assertThat(new HashSet<>(sink.confirmed)).hasSize(5);
    }

    private static Outbox withoutEvents(Outbox outbox) {
        return (Outbox) Proxy.newProxyInstance(
                Outbox.class.getClassLoader(),
                new Class<?>[] {Outbox.class},
                (self, method, arguments) -> method.getName().equals("recordingEvents")
                        ? Optional.empty()
                        : method.invoke(outbox, arguments));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("need an outbox that can record them: an engine on another one is not built")
    void refusedAtBuild(boolean ownPosts) {
        FeedStore cannot = FeedStore.of(withoutEvents(sound.outbox()), sound::inbox, sound.graph(), sound.seenMarks());
        assertThatThrownBy(() -> FeedEngine.builder(cannot)
                        .ownPosts(ownPosts)
                        .postEvents(sink)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("postEvents needs an outbox that records an event")
                .hasMessageContaining("keep the outbox in SQL");
    }
}
