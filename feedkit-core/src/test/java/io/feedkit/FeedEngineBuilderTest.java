package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngineBuilder.ArchiveSettings;
import io.feedkit.FeedEngineBuilder.CopySettings;
import io.feedkit.FeedEngineBuilder.FanoutSettings;
import io.feedkit.FeedEngineBuilder.LiveSettings;
import io.feedkit.FeedEngineBuilder.PresenceSettings;
import io.feedkit.FeedEngineBuilder.ReadSettings;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFanoutQueue;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryInboxCopies;
import io.feedkit.memory.InMemoryLiveBus;
import io.feedkit.memory.InMemoryPostArchive;
import io.feedkit.memory.InMemoryPresenceStore;
import io.feedkit.queue.FanoutQueue;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.PresenceStore;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The engine's builder")
class FeedEngineBuilderTest {

    /** The prefixes of settings whose names others have, too. */
    private static final Map<Class<?>, String> PREFIXES =
            Map.of(LiveSettings.class, "live.", ArchiveSettings.class, "archiving.", CopySettings.class, "copying.");

    private static final Duration TOO_LONG = Duration.ofDays(36_501);

    private static FeedEngineBuilder builder() {
        return FeedEngine.inMemory();
    }

    private static Map<String, Consumer<FeedEngineBuilder>> goodSettings() {
        Map<String, Consumer<FeedEngineBuilder>> good = new LinkedHashMap<>();
        good.put("name", builder -> builder.name("n"));
        good.put("policy", builder -> builder.policy(FanoutPolicy.pull()));
        good.put("clock", builder -> builder.clock(Clock.systemUTC()));
        good.put("cap", builder -> builder.cap(10));
        good.put("liveWindow", builder -> builder.liveWindow(Duration.ofSeconds(1)));
        good.put("ownPosts", builder -> builder.ownPosts(false));
        good.put("publishingCountsAsActivity", builder -> builder.publishingCountsAsActivity(true));
        good.put("filter", builder -> builder.filter((reader, posts) -> posts));
        good.put("staleness", builder -> builder.reading(reading -> reading.staleness(Duration.ZERO)));
        good.put("maxFutureSkew", builder -> builder.maxFutureSkew(Duration.ZERO));
        good.put("maxScannedPerPage", builder -> builder.reading(reading -> reading.maxScannedPerPage(1)));
        good.put("unreadCap", builder -> builder.unreadCap(100_000));
        good.put(
                "reconcileInterval",
                builder -> builder.reading(reading -> reading.reconcileInterval(Duration.ofSeconds(1))));
        good.put("maxInboxAge", builder -> builder.reading(reading -> reading.maxInboxAge(Duration.ofDays(1))));
        good.put("concurrentRebuilds", builder -> builder.reading(reading -> reading.concurrentRebuilds(0)));
        good.put("readsWithoutInbox", builder -> builder.reading(reading -> reading.readsWithoutInbox(0)));
        good.put("staleIfError", builder -> builder.reading(reading -> reading.staleIfError(Duration.ZERO)));
        good.put("maxFollowees", builder -> builder.maxFollowees(1));
        good.put("followeeAge", builder -> builder.reading(reading -> reading.followeeAge(Duration.ZERO)));
        good.put("followeeCache", builder -> builder.reading(reading -> reading.followeeCache(0)));
        good.put("rankSnapshotAge", builder -> builder.reading(reading -> reading.rankSnapshotAge(Duration.ofDays(1))));
        good.put("workers", builder -> builder.workers(0));
        good.put("lease", builder -> builder.fanout(fanout -> fanout.lease(Duration.ofSeconds(1))));
        good.put("batchSize", builder -> builder.fanout(fanout -> fanout.batchSize(10_000)));
        good.put("maxAttempts", builder -> builder.fanout(fanout -> fanout.maxAttempts(1000)));
        good.put("retryDelay", builder -> builder.fanout(fanout -> fanout.retryDelay(Duration.ZERO)));
        good.put("replayHorizon", builder -> builder.fanout(fanout -> fanout.replayHorizon(Duration.ZERO)));
        good.put("splitThreshold", builder -> builder.fanout(fanout -> fanout.splitThreshold(1)));
        good.put("pollInterval", builder -> builder.fanout(fanout -> fanout.pollInterval(Duration.ofMillis(1))));
        good.put("activeWindow", builder -> builder.fanout(fanout -> fanout.activeWindow(Duration.ofSeconds(1))));
        good.put("activePushRate", builder -> builder.fanout(fanout -> fanout.activePushRate(1)));
        good.put("fanoutQueue", builder -> builder.fanoutQueue(InMemoryFanoutQueue.create()));
        good.put("postEvents", builder -> builder.postEvents(new CollectedEvents()));
        good.put("transactions", builder -> builder.transactions(Optional::empty));
        good.put("startPaused", builder -> builder.startPaused(true));
        good.put("presence", builder -> builder.presence(InMemoryPresenceStore.create()));
        good.put("interval", builder -> builder.presence(presence -> presence.interval(Duration.ofHours(1))));
        good.put("onlineWindow", builder -> builder.presence(presence -> presence.onlineWindow(Duration.ofSeconds(1))));
        good.put("lastSeenKept", builder -> builder.presence(presence -> presence.lastSeenKept(Duration.ofSeconds(1))));
        good.put("readsCountAsSeen", builder -> builder.presence(presence -> presence.readsCountAsSeen(true)));
        good.put("publishesCountAsSeen", builder -> builder.presence(presence -> presence.publishesCountAsSeen(true)));
        good.put("archive", builder -> builder.archive(InMemoryPostArchive.create()));
        good.put("archiving.after", builder -> builder.archiving(archiving -> archiving.after(Duration.ofDays(1))));
        good.put("archiving.batchSize", builder -> builder.archiving(archiving -> archiving.batchSize(10_000)));
        good.put("archiving.postsPerSecond", builder -> builder.archiving(archiving -> archiving.postsPerSecond(1)));
        good.put(
                "archiving.interval",
                builder -> builder.archiving(archiving -> archiving.interval(Duration.ofMillis(10))));
        good.put("inboxCopies", builder -> builder.inboxCopies(InMemoryInboxCopies.create(Clock.systemUTC())));
        good.put("copying.depth", builder -> builder.copying(copying -> copying.depth(10_000)));
        good.put("copying.interval", builder -> builder.copying(copying -> copying.interval(Duration.ofMinutes(1))));
        good.put("copying.lifetime", builder -> builder.copying(copying -> copying.lifetime(Duration.ofDays(365))));
        good.put("live.bus", builder -> builder.live(live -> live.bus(InMemoryLiveBus.create())));
        good.put("live.executor", builder -> builder.live(live -> live.executor(Runnable::run)));
        good.put("live.pollInterval", builder -> builder.live(live -> live.pollInterval(Duration.ofMillis(10))));
        good.put("live.bufferSize", builder -> builder.live(live -> live.bufferSize(1)));
        return good;
    }

    static Stream<Arguments> settings() {
        return goodSettings().entrySet().stream().map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }

    @Test
    @DisplayName("takes any number of listeners, and calls them in their order")
    void listeners() {
        List<String> heard = new ArrayList<>();
        try (FeedEngine engine = builder()
                .workers(0)
                .listener(named("first", heard))
                .listener(FeedListener.NONE)
                .listener(named("second", heard))
                .build()) {
            engine.publish("bob", "p1");
            engine.publish("bob", "p2");
        }
        assertThat(heard).containsExactly("first p1", "second p1", "first p2", "second p2");
    }

    private static FeedListener named(String name, List<String> heard) {
        return new FeedListener() {
            @Override
            public void published(PostPublished event) {
                heard.add(name + " " + event.post().id());
            }
        };
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("settings")
    @DisplayName("takes every setting but the listeners once, at its bounds")
    void once(String setting, Consumer<FeedEngineBuilder> set) {
        FeedEngineBuilder builder = builder();
        set.accept(builder);
        assertThatThrownBy(() -> set.accept(builder))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(setting.substring(setting.indexOf('.') + 1) + " was set before");
    }

    @Test
    @DisplayName("is tested here in all its settings")
    void complete() {
        Set<String> notOnce =
                Set.of("build", "listener", "namedPolicy", "reading", "fanout", "live", "archiving", "copying");
        assertThat(Stream.of(
                                FeedEngineBuilder.class,
                                ReadSettings.class,
                                FanoutSettings.class,
                                PresenceSettings.class,
                                ArchiveSettings.class,
                                CopySettings.class,
                                LiveSettings.class)
                        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                        .filter(method -> Modifier.isPublic(method.getModifiers()))
                        .map(method -> PREFIXES.getOrDefault(method.getDeclaringClass(), "") + method.getName())
                        .filter(name -> !notOnce.contains(name))
                        .collect(Collectors.toSet()))
                .isEqualTo(goodSettings().keySet());
    }

    @Test
    @DisplayName("gives each name to one policy, and knows no other names")
    void namedPolicies() {
        FeedEngineBuilder builder = builder().namedPolicy("calm", FanoutPolicy.pull());
        assertThatThrownBy(() -> builder.namedPolicy("calm", FanoutPolicy.push()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("namedPolicy calm was set before");
        try (FeedEngine engine = builder.build()) {
            assertThatThrownBy(() -> engine.usePolicyOnAllEngines("storm"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("name must be a policy that the builder was given, [calm], but is storm");
        }
    }

    private static QueuedFanout queued() {
        return QueuedFanout.over(InMemoryFanoutQueue.create());
    }

    @Test
    @DisplayName("takes a queue with what belongs to it, each value within its bounds")
    void queuedFanout() {
        InMemoryFanoutQueue queue = InMemoryFanoutQueue.create();
        QueuedFanout queued = QueuedFanout.over(queue);
        assertThat(queued.isRelay()).isTrue();
        assertThat(queued.loan()).isEqualTo(QueuedFanout.DEFAULT_LOAN);
        assertThat(queued.lendingWindow()).isEqualTo(QueuedFanout.DEFAULT_LENDING_WINDOW);
        QueuedFanout other = queued.relay(false).loan(Duration.ofSeconds(1)).lendingWindow(FanoutLog.LENT_AT_MOST);
        assertThat(other.queue()).isSameAs(queue);
        assertThat(other.isRelay()).isFalse();
        assertThat(other.loan()).isEqualTo(Duration.ofSeconds(1));
        assertThat(other.lendingWindow()).isEqualTo(FanoutLog.LENT_AT_MOST);
        assertThat(queued.isRelay()).isTrue();
        builder().fanoutQueue(other).build().close();
    }

    static Stream<Arguments> badSettings() {
        Map<String, Consumer<FeedEngineBuilder>> bad = new LinkedHashMap<>();
        bad.put("name must not be null", builder -> builder.name(null));
        bad.put("name must not be empty", builder -> builder.name(""));
        bad.put("name must consist of visible ASCII", builder -> builder.name("two words"));
        bad.put("policy must not be null", builder -> builder.policy(null));
        bad.put("queue must not be null", builder -> builder.fanoutQueue((FanoutQueue) null));
        bad.put("queued must not be null", builder -> builder.fanoutQueue((QueuedFanout) null));
        bad.put("postEvents must not be null", builder -> builder.postEvents(null));
        bad.put("transactions must not be null", builder -> builder.transactions(null));
        bad.put("store must not be null", builder -> builder.presence((PresenceStore) null));
        bad.put("settings must not be null", builder -> builder.presence((Consumer<PresenceSettings>) null));
        for (Duration interval :
                List.of(Duration.ofMillis(999), Duration.ofHours(1).plusNanos(1))) {
            bad.put(
                    "interval must be between PT1S and PT1H, but is " + interval,
                    builder -> builder.presence(presence -> presence.interval(interval)));
        }
        bad.put("interval must not be null", builder -> builder.presence(presence -> presence.interval(null)));
        bad.put(
                "loan must be between PT1S and PT876000H, but is PT0.999S",
                builder -> builder.fanoutQueue(queued().loan(Duration.ofMillis(999))));
        bad.put(
                "lendingWindow must be between 1 and 10000, but is 0",
                builder -> builder.fanoutQueue(queued().lendingWindow(0)));
        bad.put(
                "lendingWindow must be between 1 and 10000, but is 10001",
                builder -> builder.fanoutQueue(queued().lendingWindow(10_001)));
        bad.put("archive must not be null", builder -> builder.archive(null));
        bad.put("after must not be null", builder -> builder.archiving(archiving -> archiving.after(null)));
        bad.put(
                "after must be between PT24H and PT876000H, but is PT23H59M",
                builder -> builder.archiving(archiving -> archiving.after(Duration.ofMinutes(24 * 60 - 1))));
        bad.put(
                "postsPerSecond must be between 1 and 2147483647, but is 0",
                builder -> builder.archiving(archiving -> archiving.postsPerSecond(0)));
        bad.put(
                "interval must be between PT0.01S and PT876000H, but is PT0.009S",
                builder -> builder.archiving(archiving -> archiving.interval(Duration.ofMillis(9))));
        bad.put("copies must not be null", builder -> builder.inboxCopies(null));
        bad.put("depth must be between 1 and 10000, but is 0", builder -> builder.copying(copying -> copying.depth(0)));
        bad.put(
                "interval must be between PT1M and PT876000H, but is PT59S",
                builder -> builder.copying(copying -> copying.interval(Duration.ofSeconds(59))));
        bad.put(
                "lifetime must be between PT1M and PT8760H, but is PT8761H",
                builder -> builder.copying(copying -> copying.lifetime(Duration.ofHours(8761))));
        bad.put("clock must not be null", builder -> builder.clock(null));
        bad.put("filter must not be null", builder -> builder.filter(null));
        bad.put("listener must not be null", builder -> builder.listener(null));
        bad.put("cap must be between 10 and 100000, but is 9", builder -> builder.cap(9));
        bad.put("cap must be between 10 and 100000, but is 100001", builder -> builder.cap(100_001));
        bad.put("cap must be between 10 and 100000, but is -1", builder -> builder.cap(-1));
        bad.put(
                "maxScannedPerPage must be between 1 and 2147483647, but is 0",
                builder -> builder.reading(reading -> reading.maxScannedPerPage(0)));
        bad.put("unreadCap must be between 1 and 100000, but is 0", builder -> builder.unreadCap(0));
        bad.put("unreadCap must be between 1 and 100000, but is 100001", builder -> builder.unreadCap(100_001));
        bad.put(
                "concurrentRebuilds must be between 0",
                builder -> builder.reading(reading -> reading.concurrentRebuilds(-1)));
        bad.put("maxFollowees must be between 1", builder -> builder.maxFollowees(0));
        bad.put("followeeCache must be between 0", builder -> builder.reading(reading -> reading.followeeCache(-1)));
        bad.put("workers must be between 0 and 256, but is -1", builder -> builder.workers(-1));
        bad.put("workers must be between 0 and 256, but is 257", builder -> builder.workers(257));
        bad.put(
                "batchSize must be between 1 and 10000, but is 0",
                builder -> builder.fanout(fanout -> fanout.batchSize(0)));
        bad.put(
                "batchSize must be between 1 and 10000, but is 10001",
                builder -> builder.fanout(fanout -> fanout.batchSize(10_001)));
        bad.put(
                "maxAttempts must be between 1 and 1000, but is 0",
                builder -> builder.fanout(fanout -> fanout.maxAttempts(0)));
        bad.put(
                "maxAttempts must be between 1 and 1000, but is 1001",
                builder -> builder.fanout(fanout -> fanout.maxAttempts(1001)));
        bad.put(
                "splitThreshold must be at least 1, but is 0",
                builder -> builder.fanout(fanout -> fanout.splitThreshold(0)));
        bad.put("activePushRate must be between 1", builder -> builder.fanout(fanout -> fanout.activePushRate(0)));
        return bad.entrySet().stream().map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }

    static Stream<Arguments> contradictions() {
        return Stream.of(
                Arguments.of("inboxCopies must be set if settings of copying are set", (Consumer<FeedEngineBuilder>)
                        builder -> builder.copying(copying -> copying.depth(10))),
                Arguments.of(
                        "inboxCopies must be a store of its own, but is an inbox or a feed store: ",
                        (Consumer<FeedEngineBuilder>) builder -> builder.inboxCopies(bothLevels(Inbox.class))),
                Arguments.of(
                        "inboxCopies must be a store of its own, but is an inbox or a feed store: ",
                        (Consumer<FeedEngineBuilder>) builder -> builder.inboxCopies(bothLevels(FeedStore.class))),
                Arguments.of("copying.depth must be at most cap (10), but is 11", (Consumer<FeedEngineBuilder>)
                        builder -> copied(builder).cap(10).copying(copying -> copying.depth(11))),
                Arguments.of(
                        "copying.interval must be at most liveWindow (PT1H), but is PT24H",
                        (Consumer<FeedEngineBuilder>) builder -> copied(builder).liveWindow(Duration.ofHours(1))),
                Arguments.of(
                        "copying.lifetime must be longer than liveWindow and copying.interval (PT192H), but is PT192H",
                        (Consumer<FeedEngineBuilder>)
                                builder -> copied(builder).copying(copying -> copying.lifetime(Duration.ofDays(8)))));
    }

    private static InboxCopies bothLevels(Class<?> other) {
        return (InboxCopies) Proxy.newProxyInstance(
                FeedEngineBuilderTest.class.getClassLoader(),
                new Class<?>[] {InboxCopies.class, other},
                (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    private static FeedEngineBuilder copied(FeedEngineBuilder builder) {
        return builder.inboxCopies(InMemoryInboxCopies.create(Clock.systemUTC()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("contradictions")
    @DisplayName("refuses copies of inboxes whose settings contradict others")
    void contradictingCopies(String message, Consumer<FeedEngineBuilder> set) {
        FeedEngineBuilder builder = builder();
        set.accept(builder);
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badSettings")
    @DisplayName("refuses what is null or out of range, naming setting and value")
    void outOfRange(String message, Consumer<FeedEngineBuilder> set) {
        assertThatThrownBy(() -> set.accept(builder()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    static Stream<Arguments> durations() {
        return Stream.<Map.Entry<String, DurationSetting>>of(
                        Map.entry("liveWindow PT1S", FeedEngineBuilder::liveWindow),
                        Map.entry(
                                "staleness PT0S",
                                (builder, value) -> builder.reading(reading -> reading.staleness(value))),
                        Map.entry("maxFutureSkew PT0S", FeedEngineBuilder::maxFutureSkew),
                        Map.entry(
                                "reconcileInterval PT1S",
                                (builder, value) -> builder.reading(reading -> reading.reconcileInterval(value))),
                        Map.entry(
                                "maxInboxAge PT1S",
                                (builder, value) -> builder.reading(reading -> reading.maxInboxAge(value))),
                        Map.entry(
                                "followeeAge PT0S",
                                (builder, value) -> builder.reading(reading -> reading.followeeAge(value))),
                        Map.entry(
                                "onlineWindow PT1S",
                                (builder, value) -> builder.presence(presence -> presence.onlineWindow(value))),
                        Map.entry(
                                "lastSeenKept PT1S",
                                (builder, value) -> builder.presence(presence -> presence.lastSeenKept(value))),
                        Map.entry("lease PT1S", (builder, value) -> builder.fanout(fanout -> fanout.lease(value))),
                        Map.entry(
                                "retryDelay PT0S",
                                (builder, value) -> builder.fanout(fanout -> fanout.retryDelay(value))),
                        Map.entry(
                                "replayHorizon PT0S",
                                (builder, value) -> builder.fanout(fanout -> fanout.replayHorizon(value))),
                        Map.entry(
                                "pollInterval PT0.001S",
                                (builder, value) -> builder.fanout(fanout -> fanout.pollInterval(value))),
                        Map.entry(
                                "activeWindow PT1S",
                                (builder, value) -> builder.fanout(fanout -> fanout.activeWindow(value))))
                .map(entry -> {
                    String[] nameAndLeast = entry.getKey().split(" ", -1);
                    return Arguments.of(nameAndLeast[0], Duration.parse(nameAndLeast[1]), entry.getValue());
                });
    }

    private interface DurationSetting {
        FeedEngineBuilder set(FeedEngineBuilder builder, Duration value);
    }

    @ParameterizedTest(name = "{0} from {1}")
    @MethodSource("durations")
    @DisplayName("refuses a duration that is null, too short, or longer than a century")
    void duration(String setting, Duration least, DurationSetting set) {
        assertThatThrownBy(() -> set.set(builder(), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(setting + " must not be null");
        for (Duration bad :
                new Duration[] {least.minusNanos(1), Duration.ofDays(-1), TOO_LONG, Duration.ofSeconds(Long.MAX_VALUE)
                }) {
            assertThatThrownBy(() -> set.set(builder(), bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(setting + " must be between " + least)
                    .hasMessageEndingWith("but is " + bad);
        }
        set.set(builder(), least);
        set.set(builder(), Duration.ofDays(36_500)).build().close();
    }

    @Test
    @DisplayName("refuses a maximum age of inboxes below the interval of their reconciliation, and names both")
    void contradictoryAges() {
        FeedEngineBuilder builder = builder()
                .reading(reading -> reading.maxInboxAge(Duration.ofHours(5)).reconcileInterval(Duration.ofHours(6)));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxInboxAge must be at least reconcileInterval (PT6H), but is PT5H");
        builder()
                .reading(reading -> reading.reconcileInterval(Duration.ofDays(30)))
                .build()
                .close();
    }

    @Test
    @DisplayName("refuses to begin without a store")
    void noStore() {
        assertThatThrownBy(() -> FeedEngine.builder(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("store must not be null");
    }

    @Test
    @DisplayName("makes an engine by its defaults, which read and publish")
    void defaults() {
        try (FeedEngine engine = FeedEngine.builder(InMemoryFeedStore.create()).build()) {
            engine.follow("ann", "bob");
            engine.publish("bob", "p1");
            engine.fanout().drain();
            assertThat(engine.read("ann", PageRequest.first(10)).items()).hasSize(1);
        }
    }
}
