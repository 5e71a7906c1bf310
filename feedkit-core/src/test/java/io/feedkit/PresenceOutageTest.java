package io.feedkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.feedkit.internal.presence.EnginePresence;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPresenceStore;
import io.feedkit.presence.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("While the presence store")
@Timeout(60)
class PresenceOutageTest {

    private final InMemoryPresenceStore shared = InMemoryPresenceStore.create();
    private final ProbedPresence store = new ProbedPresence(shared);
    private final LogCapture log = LogCapture.of(EnginePresence.class.getPackageName());
    private final FeedEngine engine = FeedEngine.builder(InMemoryFeedStore.create())
            .presence(store)
            .presence(presence -> presence.interval(Duration.ofSeconds(1))
                    .readsCountAsSeen(true)
                    .publishesCountAsSeen(true))
            .build();

    @AfterEach
    void close() {
        store.answer();
        store.comeBack();
        engine.close();
        log.close();
    }

    private void useFeed(String suffix) {
        engine.follow("ann" + suffix, "bob");
        engine.publish("bob", "p" + suffix);
        await().atMost(5, SECONDS)
                .until(() -> !engine.read("ann" + suffix, PageRequest.first(1))
                        .items()
                        .isEmpty());
    }

    @Test
    @DisplayName("hangs, feeds work, and nothing that records presence waits, nor does closing the engine")
    void hangs() {
        store.hang();
        List<Connection> connections = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < 1000; i++) {
            connections.add(engine.presence().connect("c" + i % 10));
            engine.presence().seen("s" + i);
        }
        useFeed("1");
        await().atMost(10, SECONDS).until(() -> store.reports() > 0);
        useFeed("2");
        connections.forEach(Connection::close);
        engine.presence().connect("dan");
        assertThat(engine.presence().isOnline("dan")).isTrue();
        engine.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
        assertThat(store.reports()).isEqualTo(1);
    }

    @Test
    @DisplayName("hangs, closing the engine takes a second for it at most")
    void closes() {
        store.hang();
        engine.presence().connect("ann");
        long start = System.nanoTime();
        engine.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("is down, questions fail with a typed exception, except about readers of this engine")
    void down() {
        store.goDown();
        engine.presence().connect("ann");
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> engine.presence().isOnline("zoe"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("presence.status");
        }
        assertThat(store.questions())
                .as("calls of a store that is known to be down")
                .isLessThan(10);
        assertThatThrownBy(() -> engine.presence().lastSeen("zoe")).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> engine.presence().online(List.of("ann", "zoe")))
                .isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> engine.presence().count()).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> engine.presence().list(10)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> engine.presence().announce()).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> engine.forget("zoe")).isInstanceOf(StoreUnavailableException.class);
        assertThat(engine.presence().isOnline("ann")).isTrue();
        assertThat(engine.presence().online(List.of("ann"))).containsExactly("ann");
        useFeed("1");
    }

    @Test
    @DisplayName("is down, the engine warns once, and reports everything when it is back")
    void comesBack() {
        store.goDown();
        engine.presence().connect("ann");
        engine.presence().connect("bob").close();
        engine.presence().seen("cat");
        engine.read("dan", PageRequest.first(1));
        await().atMost(20, SECONDS).until(() -> store.reports() >= 3);
        store.comeBack();
        await().atMost(20, SECONDS).until(() -> shared.countOnline() == 4);
        try (FeedEngine other = FeedEngine.inMemory().presence(shared).build()) {
            Map<String, ?> lastSeen = other.presence().lastSeen(List.of("ann", "bob", "cat", "dan"));
            assertThat(lastSeen).hasSize(4);
        }
        assertThat(log.messages(Level.WARN))
                .singleElement()
                .satisfies(message -> assertThat(message).contains("cannot report to the presence store"));
    }

    @Test
    @DisplayName("is down for a moment, the engine reports its connections again before the interval is over")
    void soonAgain() {
        Duration interval = Duration.ofSeconds(20);
        ProbedPresence other = new ProbedPresence(shared);
        other.goDown();
        try (FeedEngine slow = FeedEngine.inMemory()
                .presence(other)
                .presence(presence -> presence.interval(interval))
                .build()) {
            slow.presence().connect("ann");
            await().atMost(20, SECONDS).until(() -> other.reports() > 0);
            other.comeBack();
            await().atMost(interval.dividedBy(2)).until(() -> shared.countOnline() == 1);
        }
    }

    @Test
    @DisplayName("throws what it should not, the engine reports again")
    void undeclared() {
        ProbedPresence broken = new ProbedPresence(shared) {
            @Override
            public void report(List<Sighting> sightings, long keptMillis) {
                if (reports() < 2) {
                    super.report(List.of(), keptMillis);
                    throw new StackOverflowError("a host's store");
                }
                super.report(sightings, keptMillis);
            }
        };
        try (FeedEngine other = FeedEngine.inMemory()
                .presence(broken)
                .presence(presence -> presence.interval(Duration.ofSeconds(1)))
                .build()) {
            other.presence().connect("ann");
            await().atMost(20, SECONDS).until(() -> shared.countOnline() == 1);
        }
        assertThat(log.messages(Level.WARN)).hasSize(1);
    }
}
