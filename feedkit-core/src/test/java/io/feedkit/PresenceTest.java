package io.feedkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.feedkit.FeedEngineBuilder.PresenceSettings;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPresenceStore;
import io.feedkit.memory.InMemoryTransaction;
import io.feedkit.presence.Connection;
import io.feedkit.presence.OnlinePage;
import io.feedkit.presence.OnlineReader;
import io.feedkit.spi.PresenceStore.Sighting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Presence")
class PresenceTest {

    /** Long in real time, so that nothing is reported before a test wants it. */
    private static final Duration INTERVAL = Duration.ofMinutes(10);

    private static final Duration WINDOW = Duration.ofHours(3);
    private static final Duration MILLI = Duration.ofMillis(1);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore feeds = InMemoryFeedStore.create(clock);
    private final InMemoryPresenceStore shared = InMemoryPresenceStore.create(clock);
    private final ProbedPresence store = new ProbedPresence(shared);
    private final List<FeedEngine> engines = new ArrayList<>();
    private final FeedEngine here = engine(store, presence -> {});
    private final FeedEngine there = engine(new ProbedPresence(shared), presence -> {});

    private FeedEngine engine(ProbedPresence presence, Consumer<PresenceSettings> settings) {
        FeedEngine engine = FeedEngine.builder(feeds)
                .clock(clock)
                .workers(0)
                .presence(presence)
                .presence(group -> group.interval(INTERVAL))
                .presence(settings)
                .build();
        engines.add(engine);
        return engine;
    }

    @AfterEach
    void close() {
        engines.forEach(FeedEngine::close);
    }

    private static List<String> readers(OnlinePage page) {
        return page.readers().stream().map(OnlineReader::reader).toList();
    }

    @Test
    @DisplayName("of a connected reader is known on this engine at once, and on others after the next report")
    void connected() {
        assertThat(here.presence().isOnline("ann")).isFalse();
        Connection connection = here.presence().connect("ann");
        assertThat(connection.reader()).isEqualTo("ann");
        int questions = store.questions();
        assertThat(here.presence().isOnline("ann")).isTrue();
        assertThat(store.questions()).isEqualTo(questions);
        assertThat(here.presence().lastSeen("ann")).contains(ManualClock.START);
        here.presence().announce();
        assertThat(there.presence().isOnline("ann")).isTrue();
        assertThat(there.presence().isOnline("bob")).isFalse();
        assertThat(there.presence().online(List.of("bob", "ann", "ann"))).containsExactly("ann");
        assertThat(there.presence().count()).isEqualTo(1);
        assertThat(readers(there.presence().list(10))).containsExactly("ann");
    }

    @Test
    @DisplayName("of a reader who stays connected lasts, without a read, as long as the engine reports it")
    void staysConnected() {
        Instant start = clock.instant();
        here.presence().connect("ann");
        for (int i = 0; i < 50; i++) {
            here.presence().announce();
            clock.advance(INTERVAL);
            assertThat(there.presence().isOnline("ann")).isTrue();
        }
        assertThat(there.presence().lastSeen("ann")).contains(start);
    }

    @Test
    @DisplayName("of the readers of a dead engine ends within two intervals, unless they were seen")
    void deadEngine() {
        here.presence().connect("ann");
        here.presence().connect("bob");
        here.presence().seen("bob");
        here.presence().announce();
        clock.advance(INTERVAL);
        here.presence().announce();
        store.goDown();
        clock.advance(INTERVAL.multipliedBy(2).minus(MILLI));
        assertThat(there.presence().online(List.of("ann", "bob"))).containsExactlyInAnyOrder("ann", "bob");
        clock.advance(MILLI);
        assertThat(there.presence().online(List.of("ann", "bob"))).containsExactly("bob");
        assertThat(there.presence().count()).isEqualTo(1);
        assertThat(readers(there.presence().list(10))).containsExactly("bob");
        assertThat(there.presence().lastSeen("ann")).contains(ManualClock.START);
    }

    @Test
    @DisplayName("of a reader who disconnects lasts for the online window, from the disconnection on")
    void disconnects() {
        Connection connection = here.presence().connect("ann");
        here.presence().announce();
        clock.advance(Duration.ofMinutes(7));
        Instant left = clock.instant();
        connection.close();
        here.presence().announce();
        assertThat(there.presence().lastSeen("ann")).contains(left);
        clock.advance(WINDOW.minus(MILLI));
        assertThat(there.presence().isOnline("ann")).isTrue();
        clock.advance(MILLI);
        assertThat(there.presence().isOnline("ann")).isFalse();
        assertThat(here.presence().isOnline("ann")).isFalse();
        assertThat(there.presence().lastSeen("ann")).contains(left);
    }

    @Test
    @DisplayName("counts the connections of a reader: only the last one that closes ends it")
    void severalConnections() {
        Connection phone = here.presence().connect("ann");
        Connection tablet = here.presence().connect("ann");
        clock.advance(INTERVAL);
        phone.close();
        phone.close();
        here.presence().announce();
        assertThat(there.presence().lastSeen("ann")).contains(ManualClock.START);
        clock.advance(WINDOW);
        assertThat(here.presence().isOnline("ann")).isTrue();
        tablet.close();
        clock.advance(WINDOW);
        assertThat(here.presence().isOnline("ann")).isFalse();
    }

    @Test
    @DisplayName("of a reader on two engines lasts when one of them loses the reader")
    void twoEngines() {
        Connection first = here.presence().connect("ann");
        there.presence().connect("ann");
        here.presence().announce();
        there.presence().announce();
        first.close();
        here.presence().announce();
        for (Duration passed = Duration.ZERO; passed.compareTo(WINDOW) <= 0; passed = passed.plus(INTERVAL)) {
            clock.advance(INTERVAL);
            there.presence().announce();
        }
        assertThat(here.presence().isOnline("ann")).isTrue();
    }

    @Test
    @DisplayName("is reported when the engine is closed: its readers were last seen then")
    void engineCloses() {
        Connection connection = here.presence().connect("ann");
        clock.advance(Duration.ofMinutes(1));
        here.presence().seen("bob");
        here.close();
        assertThat(there.presence().lastSeen(List.of("ann", "bob", "cat")))
                .containsOnlyKeys("ann", "bob")
                .containsValue(clock.instant());
        assertThat(there.presence().lastSeen("ann")).contains(clock.instant());
        clock.advance(WINDOW.minus(MILLI));
        assertThat(there.presence().online(List.of("ann", "bob"))).containsExactlyInAnyOrder("ann", "bob");
        connection.close();
        assertThatThrownBy(() -> here.presence().connect("ann")).isInstanceOf(EngineClosedException.class);
    }

    @Test
    @DisplayName("of readers whom the host reports is known on this engine at once")
    void seen() {
        here.presence().seen(List.of("ann", "bob"));
        int questions = store.questions();
        assertThat(here.presence().online(List.of("ann", "bob"))).containsExactlyInAnyOrder("ann", "bob");
        assertThat(store.questions()).isEqualTo(questions);
        assertThat(here.presence().lastSeen("bob")).contains(clock.instant());
        assertThat(there.presence().isOnline("ann")).isFalse();
        clock.advance(Duration.ofMinutes(5));
        here.presence().announce();
        assertThat(there.presence().lastSeen("ann")).contains(ManualClock.START);
        clock.advance(WINDOW.minus(Duration.ofMinutes(5)));
        assertThat(there.presence().isOnline("ann")).isFalse();
        assertThat(here.presence().isOnline("ann")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("counts a read of the own feed, if the host wants that, and no count and no list")
    void reads(boolean counts) {
        FeedEngine engine = engine(store, presence -> presence.readsCountAsSeen(counts));
        engine.unread("cat");
        engine.readAuthor("ann", PageRequest.first(1));
        engine.read("bob", PageRequest.first(1).from(List.of("ann")));
        engine.read("ann", PageRequest.first(1));
        assertThat(engine.presence().isOnline("ann")).isEqualTo(counts);
        engine.presence().announce();
        assertThat(there.presence().online(List.of("ann", "bob", "cat")))
                .isEqualTo(counts ? java.util.Set.of("ann") : java.util.Set.of());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("counts a publish, if the host wants that: also in a transaction that commits, but no import")
    void publishes(boolean counts) {
        FeedEngine engine = FeedEngine.builder(feeds)
                .clock(clock)
                .workers(0)
                .publishingCountsAsActivity(true)
                .presence(presence -> presence.publishesCountAsSeen(counts))
                .build();
        engines.add(engine);
        engine.publish("ann", "p1");
        engine.importPosts(List.of(new Post("cat", "p1", ManualClock.START)));
        try (InMemoryTransaction transaction = feeds.begin()) {
            engine.publish(new Post("bob", "p1", ManualClock.START), transaction);
            transaction.commit();
        }
        try (InMemoryTransaction transaction = feeds.begin()) {
            engine.publish(new Post("dan", "p1", ManualClock.START), transaction);
            transaction.rollback();
        }
        clock.advance(Duration.ofMinutes(1));
        engine.fanout().drain();
        assertThat(engine.presence().online(List.of("ann", "bob", "cat", "dan")))
                .containsExactlyInAnyOrderElementsOf(counts ? List.of("ann", "bob") : List.of());
    }

    @Test
    @DisplayName("takes one call for the reads of a thousand readers, and for a question about a thousand")
    void batches() {
        FeedEngine engine = engine(store, presence -> presence.readsCountAsSeen(true));
        List<String> ids = IntStream.range(0, 1000).mapToObj(i -> "r" + i).toList();
        for (int round = 0; round < 3; round++) {
            ids.forEach(reader -> engine.read(reader, PageRequest.first(1)));
        }
        assertThat(store.reports()).isZero();
        engine.presence().announce();
        assertThat(store.reports()).isEqualTo(1);
        assertThat(store.reported()).isEqualTo(1000);
        int questions = store.questions();
        assertThat(engine.presence().online(ids)).hasSize(1000);
        assertThat(store.questions()).isEqualTo(questions + 1);
        List<String> many = IntStream.range(0, 2500).mapToObj(i -> "r" + i).toList();
        assertThat(engine.presence().lastSeen(many)).hasSize(1000);
        assertThat(store.questions()).isEqualTo(questions + 4);
    }

    @Test
    @DisplayName("reports all connected readers of an engine in one batch an interval, ten thousand a call")
    void announcesTogether() {
        for (int i = 0; i < 25_000; i++) {
            here.presence().connect("r" + i);
        }
        // The engine has made its own first announcement, and reports nobody any more until the interval is over.
        await().atMost(20, SECONDS).until(() -> store.reports() > 0);
        here.presence().announce();
        int before = store.reports();
        here.presence().announce();
        assertThat(store.reports() - before).isEqualTo(3);
        assertThat(there.presence().count()).isEqualTo(25_000);
    }

    @Test
    @DisplayName("has a list by pages, the latest seen first")
    void list() {
        for (int i = 0; i < 25; i++) {
            here.presence().seen("r" + i);
            clock.advance(Duration.ofSeconds(1));
        }
        here.presence().announce();
        List<String> walked = new ArrayList<>();
        OnlinePage page = there.presence().list(10);
        assertThat(page.readers()).hasSize(10);
        assertThat(page.readers().get(0))
                .isEqualTo(new OnlineReader("r24", clock.instant().minusSeconds(1)));
        walked.addAll(readers(page));
        while (page.next().isPresent()) {
            assertThat(page.next().get()).matches("[\\w-]+");
            page = there.presence().list(page.next().get(), 10);
            walked.addAll(readers(page));
        }
        assertThat(walked)
                .containsExactlyElementsOf(
                        IntStream.range(0, 25).mapToObj(i -> "r" + (24 - i)).toList());
    }

    @Test
    @DisplayName("has a list with full pages, although few of the readers are online")
    void listOfFew() {
        for (int i = 0; i < 50; i++) {
            shared.report(List.of(new Sighting("gone-" + i, i, 0)), WINDOW.toMillis());
        }
        shared.report(List.of(new Sighting("ann", 100, 1)), WINDOW.toMillis());
        assertThat(readers(here.presence().list(1))).containsExactly("ann");
    }

    @Test
    @DisplayName("forgets when an offline reader was last seen after its own setting, although other engines keep it")
    void lastSeenKeptHere() {
        FeedEngine engine = engine(store, presence -> presence.lastSeenKept(Duration.ofHours(5)));
        there.presence().seen("ann");
        there.presence().announce();
        clock.advance(Duration.ofHours(5));
        assertThat(engine.presence().lastSeen("ann")).isEmpty();
        assertThat(there.presence().lastSeen("ann")).contains(ManualClock.START);
    }

    @Test
    @DisplayName("keeps when an offline reader was last seen, for the time that was set")
    void lastSeenKept() {
        FeedEngine engine = engine(
                store, presence -> presence.lastSeenKept(Duration.ofHours(5)).onlineWindow(Duration.ofHours(1)));
        assertThat(engine.presence().lastSeen("ann")).isEmpty();
        engine.presence().seen("ann");
        engine.presence().announce();
        clock.advance(Duration.ofHours(1));
        assertThat(engine.presence().isOnline("ann")).isFalse();
        clock.advance(Duration.ofHours(4).minus(MILLI));
        assertThat(engine.presence().lastSeen("ann")).contains(ManualClock.START);
        clock.advance(MILLI);
        assertThat(engine.presence().lastSeen("ann")).isEmpty();
    }

    @Test
    @DisplayName("of a user who is deleted is removed, with the connections")
    void forget() {
        Connection connection = here.presence().connect("ann");
        here.presence().seen(List.of("ann", "bob"));
        here.presence().announce();
        here.presence().seen("ann");
        here.forget("ann");
        here.presence().announce();
        assertThat(here.presence().isOnline("ann")).isFalse();
        assertThat(there.presence().lastSeen("ann")).isEmpty();
        assertThat(there.presence().count()).isEqualTo(1);
        Connection again = here.presence().connect("ann");
        connection.close();
        clock.advance(WINDOW);
        assertThat(here.presence().isOnline("ann")).isTrue();
        again.close();
    }

    @Test
    @DisplayName("without a store of the host's is that of this engine")
    void ownStore() {
        try (FeedEngine alone = FeedEngine.inMemory().clock(clock).workers(0).build()) {
            alone.presence().connect("ann");
            alone.presence().seen("bob");
            alone.presence().announce();
            assertThat(alone.presence().count()).isEqualTo(2);
            assertThat(alone.presence()).isSameAs(alone.presence());
        }
    }

    @Test
    @DisplayName("is reported by the engine itself: a connection within seconds, and all connections in each interval")
    void inTime() {
        InMemoryPresenceStore now = InMemoryPresenceStore.create();
        try (FeedEngine busy = FeedEngine.inMemory()
                        .presence(now)
                        .presence(presence -> presence.interval(Duration.ofSeconds(1)))
                        .build();
                FeedEngine other = FeedEngine.inMemory().presence(now).build()) {
            busy.presence().connect("ann");
            await().atMost(10, SECONDS).until(() -> other.presence().isOnline("ann"));
            await().during(4, SECONDS)
                    .atMost(20, SECONDS)
                    .until(() -> other.presence().isOnline("ann"));
            busy.presence().connect("bob").close();
            await().atMost(10, SECONDS)
                    .until(() -> other.presence().lastSeen("bob").isPresent());
        }
    }

    @Test
    @DisplayName("of readers who were seen is reported before a short window is over")
    void shortWindow() {
        InMemoryPresenceStore now = InMemoryPresenceStore.create();
        try (FeedEngine busy = FeedEngine.inMemory()
                        .presence(now)
                        .presence(presence -> presence.onlineWindow(Duration.ofSeconds(8)))
                        .build();
                FeedEngine other = FeedEngine.inMemory().presence(now).build()) {
            busy.presence().seen("ann");
            await().atMost(7, SECONDS).until(() -> other.presence().isOnline("ann"));
        }
    }

    @Test
    @DisplayName("of readers who were seen is reported in time, although other readers are connected")
    void shortWindowBesideConnections() {
        InMemoryPresenceStore now = InMemoryPresenceStore.create();
        ProbedPresence probed = new ProbedPresence(now);
        try (FeedEngine busy = FeedEngine.inMemory()
                        .presence(probed)
                        .presence(presence -> presence.onlineWindow(Duration.ofSeconds(8)))
                        .build();
                FeedEngine other = FeedEngine.inMemory().presence(now).build()) {
            busy.presence().connect("bob");
            await().atMost(10, SECONDS).until(() -> probed.reported() > 0);
            busy.presence().seen("ann");
            await().atMost(7, SECONDS).until(() -> other.presence().isOnline("ann"));
        }
    }

    @Test
    @DisplayName("of a reader who connects while a sighting of that reader is reported is reported, too")
    void connectsMeanwhile() {
        AtomicReference<FeedEngine> connecting = new AtomicReference<>();
        ProbedPresence slow = new ProbedPresence(shared) {
            @Override
            public void report(List<Sighting> sightings, long keptMillis) {
                super.report(sightings, keptMillis);
                if (reports() == 1) {
                    connecting.get().presence().connect("ann");
                }
            }
        };
        FeedEngine engine = engine(slow, presence -> presence.onlineWindow(Duration.ofSeconds(2)));
        connecting.set(engine);
        engine.presence().seen("ann");
        await().atMost(10, SECONDS).until(() -> slow.reports() > 0);
        await().atMost(10, SECONDS).until(() -> slow.reported() > 1);
        clock.advance(INTERVAL);
        assertThat(there.presence().isOnline("ann")).isTrue();
    }

    @Test
    @DisplayName("of a reader who is seen again while a sighting of that reader is reported is reported again")
    void seenMeanwhile() {
        AtomicReference<FeedEngine> reporting = new AtomicReference<>();
        ProbedPresence slow = new ProbedPresence(shared) {
            @Override
            public void report(List<Sighting> sightings, long keptMillis) {
                super.report(sightings, keptMillis);
                if (reports() == 1) {
                    clock.advance(INTERVAL);
                    reporting.get().presence().seen("ann");
                }
            }
        };
        FeedEngine engine = engine(slow, presence -> {});
        reporting.set(engine);
        engine.presence().seen("ann");
        engine.presence().announce();
        engine.presence().announce();
        assertThat(there.presence().lastSeen("ann")).contains(clock.instant());
    }

    @Test
    @DisplayName("is reported although the engine's clock was set back")
    void clockSetBack() {
        clock.advance(Duration.ofDays(1));
        here.presence().connect("ann");
        here.presence().seen("bob");
        clock.set(ManualClock.START);
        here.presence().announce();
        assertThat(there.presence().online(List.of("ann", "bob"))).containsExactlyInAnyOrder("ann", "bob");
        clock.advance(INTERVAL.multipliedBy(2));
        assertThat(there.presence().online(List.of("ann", "bob"))).containsExactly("bob");
    }

    @Test
    @DisplayName("of a user who is deleted does not come back with a report that was under way")
    void forgottenMeanwhile() throws Exception {
        CountDownLatch reporting = new CountDownLatch(1);
        CountDownLatch forgotten = new CountDownLatch(1);
        ProbedPresence slow = new ProbedPresence(shared) {
            @Override
            public void report(List<Sighting> sightings, long keptMillis) {
                reporting.countDown();
                try {
                    boolean unused = forgotten.await(1, SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                super.report(sightings, keptMillis);
            }

            @Override
            public void forget(Collection<String> readers) {
                super.forget(readers);
                forgotten.countDown();
            }
        };
        FeedEngine engine = engine(slow, presence -> {});
        engine.presence().seen("ann");
        Thread announcing = new Thread(engine.presence()::announce);
        announcing.start();
        reporting.await();
        engine.forget("ann");
        announcing.join();
        assertThat(there.presence().lastSeen("ann")).isEmpty();
    }

    @Test
    @DisplayName("costs nothing until it is used: no thread, no call, no memory")
    void costsNothing() {
        FeedEngine unused = FeedEngine.builder(feeds)
                .name("unused")
                .clock(clock)
                .workers(0)
                .presence(store)
                .build();
        unused.follow("ann", "bob");
        unused.publish("bob", "p1");
        unused.read("ann", PageRequest.first(1));
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("unused-presence"));
        unused.close();
        assertThat(store.reports()).isZero();
        assertThat(shared).hasToString("InMemoryPresenceStore[0 readers]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "two words", "h\u00e9", "x12345678901234567890123456789012345678901234567890123456789012345"
            })
    @DisplayName("refuses what is no id, by name")
    void badIds(String id) {
        List<Consumer<String>> calls = List.of(
                here.presence()::connect, here.presence()::seen, here.presence()::isOnline, here.presence()::lastSeen);
        for (Consumer<String> call : calls) {
            assertThatThrownBy(() -> call.accept(id))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("reader ");
        }
        List<Consumer<List<String>>> batches =
                List.of(here.presence()::seen, here.presence()::online, here.presence()::lastSeen);
        for (Consumer<List<String>> call : batches) {
            assertThatThrownBy(() -> call.accept(List.of("ann", id)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("readers[1] ");
        }
        assertThat(here.presence().online(List.of("ann"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, PageRequest.MAX_LIMIT + 1})
    @DisplayName("refuses a limit that is out of range")
    void badLimits(int limit) {
        assertThatThrownBy(() -> here.presence().list(limit))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("limit must be between 1 and " + PageRequest.MAX_LIMIT + ", but is " + limit);
        assertThatThrownBy(() -> here.presence().list("MSBhbm4", limit)).isInstanceOf(InvalidRequestException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "!", "YW5u", "IGFubg", "MSA", "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAgYW5u", "LTEgYW5u"})
    @DisplayName("refuses an after that no page has given, with the value")
    void badAfter(String after) {
        assertThatThrownBy(() -> here.presence().list(after, 10))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("after must be the next of a page of online readers, but is \"" + after + "\"");
        assertThatThrownBy(() -> here.presence().list("x".repeat(200), 10)).isInstanceOf(InvalidRequestException.class);
        assertThat(here.presence().list("MSBhbm4", 10)).isEqualTo(new OnlinePage(List.of(), Optional.empty()));
    }
}
