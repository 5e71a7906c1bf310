package io.feedkit.internal.presence;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngine;
import io.feedkit.ManualClock;
import io.feedkit.ProbedPresence;
import io.feedkit.memory.InMemoryPresenceStore;
import io.feedkit.presence.Connection;
import io.feedkit.spi.PresenceStore.Seen;
import io.feedkit.spi.PresenceStore.Sighting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Presence is bounded")
@Timeout(120)
class PresenceBoundsTest {

    private static final int MILLION = 1_000_000;

    private final ManualClock clock = new ManualClock();
    private final InMemoryPresenceStore shared = InMemoryPresenceStore.create(clock);
    private final ProbedPresence store = new ProbedPresence(shared);
    private final FeedEngine engine = FeedEngine.inMemory()
            .clock(clock)
            .workers(0)
            .presence(store)
            .presence(presence -> presence.interval(Duration.ofHours(1)))
            .build();
    private final EnginePresence presence = (EnginePresence) engine.presence();

    @AfterEach
    void close() {
        store.answer();
        engine.close();
    }

    @Test
    @DisplayName("a million readers who were seen while the store hangs take the memory of 100,000")
    void seen() {
        store.hang();
        for (int i = 0; i < MILLION; i++) {
            presence.seen("reader-" + i);
        }
        List<String> waiting = new ArrayList<>();
        presence.seenReaders().forEach((reader, at) -> waiting.add(reader));
        assertThat(waiting).hasSize(SeenReaders.MOST);
        store.answer();
        presence.announce();
        assertThat(shared.countOnline()).isEqualTo(SeenReaders.MOST);
        assertThat(presence.seenReaders().isEmpty()).isTrue();
        presence.seen("late");
        assertThat(presence.isOnline("late")).isTrue();
    }

    @Test
    @DisplayName("more readers than can wait for an interval are reported earlier")
    void filling() {
        for (int i = 0; i < SeenReaders.MOST / 2 + 1; i++) {
            presence.seen("reader-" + i);
        }
        await().atMost(20, SECONDS).until(() -> shared.countOnline() == SeenReaders.MOST / 2 + 1);
    }

    @Test
    @DisplayName("readers who have left take no memory")
    void connected() {
        for (int i = 0; i < MILLION; i++) {
            presence.connect("reader-" + i).close();
        }
        assertThat(presence.connectedReaders().isEmpty()).isTrue();
        presence.announce();
        assertThat(presence.seenReaders().isEmpty()).isTrue();
        assertThat(presence.connectedReaders().hasUnreported()).isFalse();
    }

    @Test
    @DisplayName("readers who leave after the engine was closed take no memory")
    void leftAfterClose() {
        Connection connection = presence.connect("ann");
        engine.close();
        connection.close();
        assertThat(presence.connectedReaders().isEmpty()).isTrue();
        presence.seenReaders().read("bob");
        presence.seenReaders().published(List.of("bob"));
        assertThat(presence.seenReaders().seenAt("bob")).isZero();
    }

    @Test
    @DisplayName("readers whom a store in memory was told to forget take no place in its list")
    void forgotten() {
        for (int i = 0; i < 1000; i++) {
            shared.report(List.of(new Sighting("reader-" + i, 0, 1000)), 1000);
            shared.forget(List.of("reader-" + i));
        }
        shared.report(List.of(new Sighting("earlier", 1, 1000)), 1000);
        assertThat(shared.online(Seen.TOP, 1).readers()).hasSize(1);
    }

    @Test
    @DisplayName("a store in memory forgets readers, also after its clock was set back")
    void clockSetBack() {
        clock.advance(Duration.ofDays(365));
        shared.report(List.of(new Sighting("early", 0, 1)), 1000);
        clock.set(ManualClock.START);
        for (int i = 0; i < 10; i++) {
            shared.report(List.of(new Sighting("reader-" + i, 0, 1)), 1000);
            clock.advance(Duration.ofSeconds(2));
        }
        shared.report(List.of(new Sighting("last", 0, 1)), 1000);
        assertThat(shared).hasToString("InMemoryPresenceStore[2 readers]");
    }

    @Tag("concurrency")
    @Test
    @DisplayName("64 threads that connect and disconnect lose no connection, and leave none behind")
    void race() throws Exception {
        int threads = 64;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Connection> kept = new ArrayList<>();
        try {
            List<Future<Connection>> running = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int seed = thread;
                running.add(executor.submit(() -> connectAndLeave(seed)));
            }
            for (int i = 0; i < 20; i++) {
                presence.announce();
            }
            for (Future<Connection> each : running) {
                kept.add(each.get());
            }
        } finally {
            executor.shutdownNow();
        }
        presence.announce();
        for (int reader = 0; reader < 8; reader++) {
            assertThat(presence.connectedReaders().contains("r" + reader)).isTrue();
        }
        kept.subList(0, 56).forEach(Connection::close);
        for (int reader = 0; reader < 8; reader++) {
            assertThat(presence.connectedReaders().contains("r" + reader))
                    .as("r%d has one of eight connections", reader)
                    .isTrue();
        }
        kept.forEach(Connection::close);
        assertThat(presence.connectedReaders().isEmpty()).isTrue();
        presence.announce();
        assertThat(presence.connectedReaders().hasUnreported()).isFalse();
        assertThat(shared.countOnline()).isEqualTo(8);
    }

    /** Connects each of eight readers many times, and keeps one connection. */
    private Connection connectAndLeave(int seed) {
        Random random = new Random(seed);
        Connection kept = presence.connect("r" + seed % 8);
        List<Connection> open = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            open.add(presence.connect("r" + random.nextInt(8)));
            if (open.size() > 3) {
                open.remove(random.nextInt(open.size())).close();
            }
        }
        open.forEach(Connection::close);
        return kept;
    }
}
