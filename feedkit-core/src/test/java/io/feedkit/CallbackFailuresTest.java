package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.feedkit.event.DeliveryLossSuspected;
import io.feedkit.event.FeedListener;
import io.feedkit.event.FeedRead;
import io.feedkit.event.FollowChanged;
import io.feedkit.event.InboxRebuilt;
import io.feedkit.event.InboxRefreshed;
import io.feedkit.event.PostDeleted;
import io.feedkit.event.PostDelivered;
import io.feedkit.event.PostPublished;
import io.feedkit.event.TaskFailed;
import io.feedkit.event.TaskFinished;
import io.feedkit.fanout.AuthorStatus;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.internal.host.GuardedListener;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import java.sql.SQLException;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("When the host's callbacks fail")
class CallbackFailuresTest {

    private static final String[] USERS = {"ann", "bob"};

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);

    private static IllegalStateException broken() {
        return new IllegalStateException("broken by the host");
    }

    /** Throws a checked exception that nobody declared, as code in other languages does. */
    @SuppressWarnings("unchecked")
    private static <E extends Exception> void throwChecked() throws E {
        throw (E) new SQLException("broken by the host\n2026-01-01 WARN forged");
    }

    /** A map that looks for its content when it is asked. */
    private static Map<Post, String> lazy() {
        return new AbstractMap<>() {
            @Override
            public Set<Entry<Post, String>> entrySet() {
                throw broken();
            }
        };
    }

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store).clock(clock).workers(0);
    }

    private void fill() {
        try (FeedEngine engine = builder().build()) {
            engine.follow("ann", "bob");
            engine.read("ann", PageRequest.first(10));
            engine.publish("bob", "p1");
            engine.fanout().drain();
        }
    }

    static Stream<Arguments> policies() {
        return Stream.of(
                Arguments.of("throws", (FanoutPolicy) author -> {
                    throw broken();
                }),
                Arguments.of("throws a checked exception", (FanoutPolicy) author -> {
                    CallbackFailuresTest.<RuntimeException>throwChecked();
                    return FanoutMode.PULL;
                }),
                Arguments.of("throws an error", (FanoutPolicy) author -> {
                    throw new NoClassDefFoundError("broken by the host");
                }),
                Arguments.of("returns null", (FanoutPolicy) author -> null),
                Arguments.of("throws at the second post only", new FanoutPolicy() {
                    private final AtomicInteger calls = new AtomicInteger();

                    @Override
                    public FanoutMode decide(AuthorStatus author) {
                        if (calls.incrementAndGet() % 2 == 0) {
                            throw broken();
                        }
                        return FanoutMode.PULL;
                    }
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("policies")
    @DisplayName("a policy's failure is a typed exception of the publish, and nothing is written")
    void policy(String how, FanoutPolicy policy) {
        fill();
        StoreDump before = StoreDump.of(store, USERS);
        try (FeedEngine engine = builder().policy(policy).build()) {
            assertThatThrownBy(() -> engine.publishAll(List.of(post("p2"), post("p3"))))
                    .isInstanceOfSatisfying(CallbackException.class, e -> {
                        assertThat(e.callback()).isEqualTo("policy");
                        assertThat(e.isRetryable()).isFalse();
                        assertThat(e).hasMessageStartingWith("the host's policy failed: ");
                    });
            assertThat(StoreDump.of(store, USERS)).isEqualTo(before);
            engine.usePolicy(FanoutPolicy.push());
            assertThat(engine.publish(post("p2")).status()).isEqualTo(Published.Status.NEW);
        }
    }

    @Test
    @DisplayName("a policy's failure spares a publish in a transaction of the host, which may go on")
    void policyInTransaction() {
        fill();
        StoreDump before = StoreDump.of(store, USERS);
        try (FeedEngine engine = builder().policy(author -> null).build();
                InMemoryTransaction transaction = store.begin()) {
            assertThatThrownBy(() -> engine.publish(post("p2"), transaction)).isInstanceOf(CallbackException.class);
            transaction.commit();
        }
        assertThat(StoreDump.of(store, USERS)).isEqualTo(before);
    }

    static Stream<Arguments> filters() {
        return Stream.of(
                Arguments.of("throws", (PostFilter) (reader, posts) -> {
                    throw broken();
                }),
                Arguments.of("throws a checked exception", (PostFilter) (reader, posts) -> {
                    CallbackFailuresTest.<RuntimeException>throwChecked();
                    return posts;
                }),
                Arguments.of("overflows the stack", (PostFilter) (reader, posts) -> {
                    throw new StackOverflowError("broken by the host");
                }),
                Arguments.of("returns null", (PostFilter) (reader, posts) -> null));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("filters")
    @DisplayName("a filter's failure is a typed exception of every kind of read")
    void filter(String how, PostFilter filter) {
        fill();
        try (FeedEngine engine = builder().filter(filter).build()) {
            List<Runnable> reads = List.of(
                    () -> engine.read("ann", PageRequest.first(1)),
                    () -> engine.read("ann", PageRequest.first(1), posts -> Map.of()),
                    () -> engine.unread("ann"));
            StoreDump before = StoreDump.of(store, USERS);
            assertThat(reads)
                    .allSatisfy(read -> assertThatThrownBy(read::run)
                            .isInstanceOfSatisfying(
                                    CallbackException.class,
                                    e -> assertThat(e.callback()).isEqualTo("filter")));
            assertThat(StoreDump.of(store, USERS)).isEqualTo(before);
            assertThat(engine.readAuthor("bob", PageRequest.first(1)).items()).hasSize(1);
        }
    }

    @Test
    @DisplayName("a filter that returns posts it was not asked about shows none of them")
    void inventiveFilter() {
        fill();
        try (FeedEngine engine = builder()
                .filter((reader, posts) -> List.of(post("invented"), posts.get(0)))
                .build()) {
            assertThat(engine.read("ann", PageRequest.first(10)).items())
                    .extracting(Post::id)
                    .containsExactly("p1");
        }
    }

    static Stream<Arguments> loaders() {
        return Stream.of(
                Arguments.of("throws", (PostLoader<String>) posts -> {
                    throw broken();
                }),
                Arguments.of("throws a checked exception", (PostLoader<String>) posts -> {
                    CallbackFailuresTest.<RuntimeException>throwChecked();
                    return Map.of();
                }),
                Arguments.of("throws an error", (PostLoader<String>) posts -> {
                    throw new AssertionError("broken by the host");
                }),
                Arguments.of("returns a map that throws when it is asked", (PostLoader<String>) posts -> lazy()),
                Arguments.of("returns null", (PostLoader<String>) posts -> null));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("loaders")
    @DisplayName("a loader's failure is a typed exception of the read")
    void loader(String how, PostLoader<String> loader) {
        fill();
        StoreDump before = StoreDump.of(store, USERS);
        try (FeedEngine engine = builder().build()) {
            assertThatThrownBy(() -> engine.read("ann", PageRequest.first(1), loader))
                    .isInstanceOfSatisfying(
                            CallbackException.class,
                            e -> assertThat(e.callback()).isEqualTo("loader"));
            assertThat(engine.read("ann", PageRequest.first(1)).items()).hasSize(1);
        }
        assertThat(StoreDump.of(store, USERS)).isEqualTo(before);
    }

    @Test
    @DisplayName("the cause of the failure is kept")
    void cause() {
        fill();
        try (FeedEngine engine = builder().build()) {
            assertThatThrownBy(() -> engine.read("ann", PageRequest.first(1), posts -> {
                        throw broken();
                    }))
                    .isInstanceOf(CallbackException.class)
                    .hasCause(broken())
                    .hasMessageContaining("broken by the host");
        }
    }

    @Test
    @DisplayName("an error of the virtual machine stays what it is")
    void virtualMachine() {
        fill();
        OutOfMemoryError full = new OutOfMemoryError("broken by the host");
        try (FeedEngine engine = builder().build()) {
            assertThatThrownBy(() -> engine.read("ann", PageRequest.first(1), posts -> {
                        throw full;
                    }))
                    .isSameAs(full);
        }
    }

    @Test
    @DisplayName("a store's failure inside of a callback stays what it is")
    void storeFailureInside() {
        fill();
        StoreUnavailableException down = new StoreUnavailableException("cards.load", null);
        try (FeedEngine engine = builder().build()) {
            assertThatThrownBy(() -> engine.read("ann", PageRequest.first(1), posts -> {
                        throw down;
                    }))
                    .isSameAs(down);
        }
    }

    static Stream<Arguments> grumbles() {
        return Stream.of(
                Arguments.of("an exception", new Grumbler(() -> {
                    throw broken();
                })),
                Arguments.of("a checked exception", new Grumbler(CallbackFailuresTest::<RuntimeException>throwChecked)),
                Arguments.of("an error", new Grumbler(() -> {
                    throw new StackOverflowError("broken by the host");
                })));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("grumbles")
    @DisplayName("a listener that throws at everything breaks nothing, and is logged once as a warning")
    void listener(String what, FeedListener grumbler) {
        try (LogCapture log = LogCapture.of(GuardedListener.class);
                FeedEngine engine = builder()
                        .name("tested")
                        .ownPosts(true)
                        .listener(grumbler)
                        .build()) {
            engine.follow("ann", "bob");
            assertThat(engine.read("ann", PageRequest.first(10)).items()).isEmpty();
            assertThat(engine.publish("bob", "p1").status()).isEqualTo(Published.Status.NEW);
            engine.publish("bob", "p2");
            engine.fanout().drain();
            assertThat(engine.read("ann", PageRequest.first(10)).items()).hasSize(2);
            assertThat(engine.refresh("ann")).isZero();
            assertThat(engine.rebuild("ann")).isTrue();
            assertThat(engine.delete("bob", "p1")).isTrue();
            engine.fanout().drain();
            assertThat(engine.unfollow("ann", "bob")).isTrue();
            assertThat(engine.read("ann", PageRequest.first(10)).items()).isEmpty();
            assertThat(engine.fanout().deadLetters(10)).isEmpty();
            assertThat(log.messages(Level.WARN)).singleElement().asString().startsWith("tested: the listener failed");
            assertThat(log.messages(Level.DEBUG)).isNotEmpty();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("grumbles")
    @DisplayName("a listener that throws keeps no other from its events, and each is warned of separately")
    void listenersApart(String what, FeedListener grumbler) {
        List<String> heard = new ArrayList<>();
        FeedListener sound = new FeedListener() {
            @Override
            public void published(PostPublished event) {
                heard.add(event.post().id());
            }
        };
        FeedListener failsLater = new FeedListener() {
            @Override
            public void deleted(PostDeleted event) {
                throw broken();
            }
        };
        try (LogCapture log = LogCapture.of(GuardedListener.class);
                FeedEngine engine = builder()
                        .name("tested")
                        .listener(grumbler)
                        .listener(sound)
                        .listener(grumbler)
                        .listener(failsLater)
                        .listener(sound)
                        .build()) {
            engine.publish("bob", "p1");
            assertThat(heard).containsExactly("p1", "p1");
            assertThat(log.messages(Level.WARN))
                    .hasSize(2)
                    .allMatch(message -> message.contains(Grumbler.class.getName()));
            engine.delete("bob", "p1");
            assertThat(log.messages(Level.WARN))
                    .hasSize(3)
                    .last()
                    .asString()
                    .contains(failsLater.getClass().getName());
        }
    }

    @Test
    @Timeout(300)
    @DisplayName(
            "a host's graph that throws checked exceptions ends no worker: the fan-out goes on when it is well again")
    void checkedExceptionsOfGraph() {
        AtomicInteger left = new AtomicInteger(4);
        WritableFollowGraph sound = store.graph();
        FollowGraph graph = new FollowGraph() {
            @Override
            public List<IdPage> followers(List<FollowerQuery> queries) {
                if (left.getAndDecrement() > 0) {
                    CallbackFailuresTest.<RuntimeException>throwChecked();
                }
                return sound.followers(queries);
            }

            @Override
            public IdPage followees(String reader, String after, int limit) {
                return sound.followees(reader, after, limit);
            }

            @Override
            public Set<String> followed(String reader, Collection<String> authors) {
                return sound.followed(reader, authors);
            }

            @Override
            public Map<String, FollowCounts> counts(Collection<String> users) {
                return sound.counts(users);
            }
        };
        InMemoryFeedStore timed = InMemoryFeedStore.create();
        List<String> reasons = new CopyOnWriteArrayList<>();
        sound.add(List.of(new Edge("ann", "bob")));
        try (FeedEngine engine = FeedEngine.builder(
                        FeedStore.of(timed.outbox(), timed::inbox, graph, timed.seenMarks()))
                .workers(2)
                .fanout(fanout -> fanout.retryDelay(Duration.ofMillis(1)))
                .listener(new FeedListener() {
                    @Override
                    public void taskFailed(TaskFailed event) {
                        reasons.add(event.reason());
                    }
                })
                .build()) {
            engine.read("ann", PageRequest.first(1));
            for (int n = 0; n < 6; n++) {
                engine.publish("bob", "p" + n);
            }
            await().untilAsserted(() -> assertThat(
                            engine.read("ann", PageRequest.first(10)).items())
                    .hasSize(6));
        }
        assertThat(reasons)
                .isNotEmpty()
                .allSatisfy(reason -> assertThat(reason)
                        .isEqualTo("java.sql.SQLException: broken by the host 2026-01-01 WARN forged"));
    }

    @Test
    @DisplayName("a failure that is given up has failed as often in its event as in its dead letter")
    void attempts() {
        List<TaskFailed> failures = new ArrayList<>();
        ProbedStore failing = new ProbedStore(store);
        failing.before("Inbox.deliver", () -> {
            throw broken();
        });
        try (FeedEngine engine = FeedEngine.builder(failing)
                .clock(clock)
                .workers(0)
                .fanout(fanout -> fanout.maxAttempts(3).retryDelay(Duration.ZERO))
                .listener(new FeedListener() {
                    @Override
                    public void taskFailed(TaskFailed event) {
                        failures.add(event);
                    }
                })
                .build()) {
            engine.follow("ann", "bob");
            engine.read("ann", PageRequest.first(1));
            engine.publish("bob", "p1");
            engine.fanout().drain();
            assertThat(failures).extracting(TaskFailed::attempts).containsExactly(1, 2, 3);
            assertThat(engine.fanout().deadLetters(10))
                    .singleElement()
                    .satisfies(letter -> assertThat(letter.attempts()).isEqualTo(3));
        }
    }

    @Test
    @Timeout(300)
    @DisplayName("a listener that rebuilds an inbox when it hears that it was rebuilt waits for nobody")
    void listenerRebuilds() {
        AtomicInteger rebuilt = new AtomicInteger();
        AtomicReference<FeedEngine> engine = new AtomicReference<>();
        engine.set(builder()
                .fanout(fanout -> fanout.lease(Duration.ofMinutes(10)))
                .listener(new FeedListener() {
                    @Override
                    public void rebuilt(InboxRebuilt event) {
                        if (rebuilt.incrementAndGet() < 3) {
                            assertThat(engine.get().rebuild(event.reader())).isTrue();
                        }
                    }
                })
                .build());
        try (FeedEngine built = engine.get()) {
            built.follow("ann", "bob");
            assertThat(built.rebuild("ann")).isTrue();
        }
        assertThat(rebuilt).hasValue(3);
    }

    @Test
    @DisplayName("a listener that goes on failing is warned of again after some minutes")
    void warnedAgain() {
        try (LogCapture log = LogCapture.of(GuardedListener.class);
                FeedEngine engine = builder()
                        .listener(new Grumbler(() -> {
                            throw broken();
                        }))
                        .build()) {
            engine.publish("bob", "p1");
            engine.publish("bob", "p2");
            clock.advance(Duration.ofMinutes(10));
            engine.publish("bob", "p3");
            assertThat(log.messages(Level.WARN)).hasSize(2);
            assertThat(log.messages(Level.DEBUG)).hasSize(1);
        }
    }

    private static Post post(String id) {
        return new Post("bob", id, ManualClock.START);
    }

    /** Throws whatever it hears. */
    private record Grumbler(Runnable throwing) implements FeedListener {

        private void grumble() {
            throwing.run();
        }

        @Override
        public void published(PostPublished event) {
            grumble();
        }

        @Override
        public void deleted(PostDeleted event) {
            grumble();
        }

        @Override
        public void delivered(PostDelivered event) {
            grumble();
        }

        @Override
        public void taskFinished(TaskFinished event) {
            grumble();
        }

        @Override
        public void taskFailed(TaskFailed event) {
            grumble();
        }

        @Override
        public void read(FeedRead event) {
            grumble();
        }

        @Override
        public void rebuilt(InboxRebuilt event) {
            grumble();
        }

        @Override
        public void refreshed(InboxRefreshed event) {
            grumble();
        }

        @Override
        public void deliveryLossSuspected(DeliveryLossSuspected event) {
            grumble();
        }

        @Override
        public void followChanged(FollowChanged event) {
            grumble();
        }
    }
}
