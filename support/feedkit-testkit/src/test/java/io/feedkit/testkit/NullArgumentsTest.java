package io.feedkit.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedEngineBuilder.ArchiveSettings;
import io.feedkit.FeedEngineBuilder.CopySettings;
import io.feedkit.FeedEngineBuilder.FanoutSettings;
import io.feedkit.FeedEngineBuilder.LiveSettings;
import io.feedkit.FeedEngineBuilder.PresenceSettings;
import io.feedkit.FeedEngineBuilder.ReadSettings;
import io.feedkit.FeedPage;
import io.feedkit.HostGraph;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.PublishTransaction;
import io.feedkit.cards.Card;
import io.feedkit.cards.CardField;
import io.feedkit.cards.PageAssembly;
import io.feedkit.fanout.FanoutControl;
import io.feedkit.health.Health;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryPresenceStore;
import io.feedkit.memory.InMemoryTransaction;
import io.feedkit.presence.Presence;
import io.feedkit.rank.RankCursor;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.PresenceStore;
import io.feedkit.spi.SeenPosts;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.testkit.fault.FaultyFeedStore;
import io.feedkit.testkit.internal.HostGraphStore;
import io.feedkit.testkit.internal.NullArguments;
import io.feedkit.unread.UnreadCounter;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NullArgumentsTest {

    private final InMemoryFeedStore store = InMemoryFeedStore.create();
    private final InMemoryCounterStore counters = InMemoryCounterStore.create();

    @Test
    @DisplayName("null is refused by the argument's name, in every public method of the core")
    void core() {
        try (FeedEngine engine = FeedEngine.builder(store).workers(0).build();
                FeedEngine ofHost =
                        FeedEngine.builder(new HostGraphStore(store)).workers(0).build()) {
            FeedPage<Post> page = engine.read("ann", PageRequest.first(1));
            CardField<String> content = CardField.content(posts -> Map.of(posts.get(0), "content"));
            PageAssembly cards = PageAssembly.of(content);
            engine.publish("bob", "p1");
            Card card = engine.readAuthor("bob", PageRequest.first(1), "ann", cards)
                    .items()
                    .get(0);
            NullArguments core = NullArguments.ofModuleOf(FeedEngine.class)
                    .with(FeedEngine.class, () -> engine)
                    .with(FeedEngineBuilder.class, FeedEngine::inMemory)
                    .with(FeedPage.class, () -> page)
                    .with(Cursor.class, page::newer)
                    .with(CardField.class, () -> content)
                    .with(PageAssembly.class, () -> cards)
                    .with(Card.class, () -> card)
                    .with(Health.class, () -> engine.check(Duration.ofSeconds(10)))
                    .with(
                            ArchiveSettings.class,
                            () -> settings(set -> FeedEngine.inMemory().archiving(set)))
                    .with(
                            CopySettings.class,
                            () -> settings(set -> FeedEngine.inMemory().copying(set)))
                    .with(
                            FanoutSettings.class,
                            () -> settings(set -> FeedEngine.inMemory().fanout(set)))
                    .with(
                            ReadSettings.class,
                            () -> settings(set -> FeedEngine.inMemory().reading(set)))
                    .with(
                            PresenceSettings.class,
                            () -> settings(set -> FeedEngine.inMemory().presence(set)))
                    .with(
                            LiveSettings.class,
                            () -> settings(set -> FeedEngine.inMemory().live(set)))
                    .with(SeenPosts.class, () -> SeenPosts.NOTHING)
                    .with(PublishTransaction.class, store::begin)
                    .with(InMemoryTransaction.class, store::begin)
                    .with(CounterStore.class, () -> counters)
                    .with(PresenceStore.class, InMemoryPresenceStore::create)
                    .withMethodsOf(FanoutControl.class, engine::fanout)
                    .withMethodsOf(Presence.class, engine::presence)
                    .withMethodsOf(HostGraph.class, ofHost::hostGraph)
                    .with(UnreadCounter.class, () -> UnreadCounter.of(counters))
                    .except(NullArgumentsTest::isCalledByStores)
                    .except(NullArgumentsTest::isParserOfCursors);
            assertThat(core.violations()).isEmpty();
            assertThat(core.checked()).isGreaterThan(300);
        }
    }

    /** The settings of a group of the builder. */
    private static <S> S settings(Consumer<Consumer<S>> group) {
        AtomicReference<S> settings = new AtomicReference<>();
        group.accept(settings::set);
        return settings.get();
    }

    @Test
    @DisplayName("null is refused by the argument's name, in every public method of the test kit")
    void testkit() {
        NullArguments testkit = NullArguments.ofModuleOf(SettableClock.class)
                .with(SettableClock.class, () -> SettableClock.startingAt(TestFeed.START))
                .with(FaultyFeedStore.class, () -> FaultyFeedStore.around(store))
                .with(FeedStore.class, () -> store)
                .with(CounterStore.class, () -> counters)
                .with(SeenPosts.class, () -> SeenPosts.NOTHING)
                .with(Cursor.class, () -> Cursor.at(TestFeed.START));
        assertThat(testkit.violations()).isEmpty();
        assertThat(testkit.checked()).isGreaterThan(20);
    }

    /** The methods of the SPI's values take what their constructors have checked. */
    private static boolean isCalledByStores(Executable executable) {
        return executable.getDeclaringClass().getPackageName().startsWith("io.feedkit.spi")
                && executable instanceof Method method
                && !(Modifier.isStatic(method.getModifiers()) && method.getReturnType() == method.getDeclaringClass());
    }

    /** Null is no cursor, as other texts are none: the message begins with "cursor". */
    private static boolean isParserOfCursors(Executable executable) {
        return List.of(Cursor.class, RankCursor.class).contains(executable.getDeclaringClass())
                && executable.getName().equals("parse");
    }
}
