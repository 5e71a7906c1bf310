package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.inspect.Explanation;
import io.feedkit.inspect.Explanation.Reason;
import io.feedkit.inspect.ReaderState;
import io.feedkit.live.LiveEvent;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Found;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code ExplainBehaviours} cannot show on every store. */
@DisplayName("An explanation")
class ExplainTest {

    private static final PostKey POST = new PostKey("bob", "p1");

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);

    private FeedEngineBuilder builder(FeedStore on) {
        return FeedEngine.builder(on).clock(clock).workers(0).reading(reading -> reading.staleness(Duration.ZERO));
    }

    private static boolean shows(FeedEngine engine, String reader, PostKey post) {
        return engine.read(reader, PageRequest.first(100)).items().stream()
                .anyMatch(shown -> shown.key().equals(post));
    }

    @Test
    @DisplayName("changes nothing in the store: not an absent inbox, not a live one, not a task")
    void changesNothing() {
        try (FeedEngine engine = builder(store).build()) {
            engine.follow("ann", "bob");
            engine.follow("cat", "bob");
            engine.read("cat", PageRequest.first(1));
            engine.publish("bob", "p1");
            engine.fanout().drain();
            engine.publish("bob", "p2");
            engine.usePolicy(FanoutPolicy.pull());
            engine.publish("bob", "p3");
            engine.delete("bob", "p1");
            StoreDump before = StoreDump.of(store, "ann", "bob", "cat", "zoe");
            for (String reader : List.of("ann", "bob", "cat", "zoe")) {
                for (String id : List.of("p1", "p2", "p3", "never")) {
                    assertThat(engine.explain(reader, new PostKey("bob", id)).sentence())
                            .isNotBlank();
                }
                assertThat(engine.inspect(reader).unreachable()).isEmpty();
            }
            assertThat(StoreDump.of(store, "ann", "bob", "cat", "zoe")).isEqualTo(before);
        }
    }

    @Test
    @DisplayName("knows that the next read delivers an own post of a transaction")
    void ownPostOfTransaction() {
        try (FeedEngine engine = builder(store).ownPosts(true).build()) {
            engine.follow("bob", "cat");
            engine.read("bob", PageRequest.first(1));
            InMemoryTransaction transaction = store.begin();
            engine.publish(new Post("bob", "p1", clock.instant()), transaction);
            assertThat(engine.explain("bob", POST).reason()).isEqualTo(Reason.NOT_FOUND);
            transaction.commit();
            assertThat(engine.explain("bob", POST).reason()).isEqualTo(Reason.REPAIRED_BY_NEXT_READ);
            assertThat(shows(engine, "bob", POST)).isTrue();
            assertThat(engine.explain("bob", POST).reason()).isEqualTo(Reason.OWN_POST);
        }
    }

    @Test
    @DisplayName("knows that the next read applies a follow that was reported in a transaction")
    void reportedInTransaction() {
        HostsTable table = new HostsTable();
        try (FeedEngine engine = builder(table.in(store)).build()) {
            table.insert("ann", "cat");
            engine.publish("bob", "p1");
            engine.read("ann", PageRequest.first(1));
            engine.hostGraph().followed("ann", "bob", store.begin());
            assertThat(engine.explain("ann", POST).reason()).isEqualTo(Reason.NOT_FOLLOWED);
            table.insert("ann", "bob");
            assertThat(engine.explain("ann", POST).reason()).isEqualTo(Reason.REPAIRED_BY_NEXT_READ);
            assertThat(shows(engine, "ann", POST)).isTrue();
            engine.hostGraph().unfollowed("ann", "bob", store.begin());
            assertThat(engine.explain("ann", POST).reason()).isEqualTo(Reason.IN_INBOX);
            table.delete("ann", "bob");
            assertThat(engine.explain("ann", POST).reason()).isEqualTo(Reason.NOT_FOLLOWED);
            assertThat(shows(engine, "ann", POST)).isFalse();
        }
    }

    /** A store whose log cannot list unfinished tasks. */
    private FeedStore withoutSearch() {
        Outbox outbox = forward(
                Outbox.class,
                store.outbox(),
                "fanout",
                () -> forward(FanoutLog.class, store.outbox().fanout(), "find", () -> new Found(List.of(), false)));
        return FeedStore.of(outbox, store::inbox, store.graph(), store.seenMarks());
    }

    private static <T> T forward(Class<T> type, T to, String method, Supplier<Object> answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, called, given) -> {
                    try {
                        return called.getName().equals(method) ? answer.get() : called.invoke(to, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Test
    @DisplayName("of a log that cannot list all tasks goes by the settled mark")
    void partialSearch() {
        try (FeedEngine engine = builder(withoutSearch()).build()) {
            engine.follow("ann", "bob");
            engine.read("ann", PageRequest.first(1));
            engine.publish("bob", "p1");
            Explanation waiting = engine.explain("ann", POST);
            assertThat(waiting.reason()).isEqualTo(Reason.PUSH_WAITING);
            assertThat(waiting.tasks()).isEmpty();
            assertThat(waiting.sentence()).contains("too many tasks");
            clock.advance(Duration.ofSeconds(1));
            engine.fanout().drain();
            assertThat(engine.explain("ann", POST).reason()).isEqualTo(Reason.IN_INBOX);
            store.inbox(new InboxLimits(100, Duration.ofDays(7).toMillis()))
                    .retract(List.of(new Retraction(
                            store.outbox().existing(List.of(POST)).get(POST), List.of("ann"))));
            assertThat(engine.explain("ann", POST).reason()).isEqualTo(Reason.MISSING_FROM_INBOX);
        }
    }

    @Test
    @DisplayName("is given beside live feeds, which the state counts")
    void liveFeeds() {
        try (FeedEngine engine = builder(store).build()) {
            engine.follow("ann", "bob");
            assertThat(engine.inspect("ann").connection().liveSubscriptions()).isZero();
            engine.live("ann").subscribe(new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription subscription) {}

                @Override
                public void onNext(LiveEvent event) {}

                @Override
                public void onError(Throwable failure) {}

                @Override
                public void onComplete() {}
            });
            ReaderState state = engine.inspect("ann");
            assertThat(state.connection().liveSubscriptions()).isEqualTo(1);
            assertThat(state.connection().connected()).isTrue();
            assertThat(state.connection().online()).contains(true);
        }
    }

    @Test
    @DisplayName("needs a legal reader and a post, and passes on the failure of a filter")
    void arguments() {
        RuntimeException broken = new IllegalStateException("broken");
        try (FeedEngine engine = builder(store)
                .filter((reader, posts) -> {
                    throw broken;
                })
                .build()) {
            assertThatThrownBy(() -> engine.explain("", POST)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> engine.inspect("a b")).isInstanceOf(IllegalArgumentException.class);
            engine.follow("ann", "bob");
            engine.publish("bob", "p1");
            assertThatThrownBy(() -> engine.explain("ann", POST))
                    .isInstanceOf(CallbackException.class)
                    .hasCause(broken);
            assertThat(engine.explain("zoe", POST).reason()).isEqualTo(Reason.NOT_FOLLOWED);
        }
    }
}
