package io.feedkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.feedkit.cards.CardField;
import io.feedkit.cards.PageAssembly;
import io.feedkit.event.FeedListener;
import io.feedkit.event.TaskFinished;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.internal.fanout.FanoutWorkerPool;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.Rankers;
import io.feedkit.verify.VerifyRequest;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A closed engine")
class ClosedEngineTest {

    private static final Post POST = new Post("bob", "p9", ManualClock.START);
    private static final PageAssembly CARDS = PageAssembly.of(CardField.content(posts -> Map.of()));

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore store = InMemoryFeedStore.create(clock);

    private static Map<String, Consumer<FeedEngine>> methods() {
        Map<String, Consumer<FeedEngine>> methods = new LinkedHashMap<>();
        methods.put("publish", engine -> engine.publish("bob", "p9"));
        methods.put("publish a post", engine -> engine.publish(POST));
        methods.put("publish in a transaction", engine -> engine.publish(POST, new PublishTransaction() {}));
        methods.put("publishAll", engine -> engine.publishAll(List.of(POST)));
        methods.put("importPosts", engine -> engine.importPosts(List.of(POST)));
        methods.put("delete", engine -> engine.delete("bob", "p1"));
        methods.put("deleteAll", engine -> engine.deleteAll(List.of(new PostKey("bob", "p1"))));
        methods.put("read", engine -> engine.read("ann", PageRequest.first(1)));
        methods.put("read with content", engine -> engine.read("ann", PageRequest.first(1), posts -> Map.of()));
        methods.put("ranked", engine -> engine.ranked("ann", RankRequest.top(1, 1), Rankers.newest()));
        methods.put(
                "ranked with content",
                engine -> engine.ranked("ann", RankRequest.top(1, 1), Rankers.newest(), posts -> Map.of()));
        methods.put("readAuthor", engine -> engine.readAuthor("bob", PageRequest.first(1)));
        methods.put(
                "readAuthor with content", engine -> engine.readAuthor("bob", PageRequest.first(1), posts -> Map.of()));
        methods.put("read cards", engine -> engine.read("ann", PageRequest.first(1), CARDS));
        methods.put("readAuthor cards", engine -> engine.readAuthor("bob", PageRequest.first(1), "ann", CARDS));
        methods.put("unread", engine -> engine.unread("ann"));
        methods.put("markSeen", engine -> engine.markSeen("ann", Cursor.of(POST)));
        methods.put("markSeen of many", engine -> engine.markSeen(List.of("ann"), Cursor.of(POST)));
        methods.put("seenMark", engine -> engine.seenMark("ann"));
        methods.put("resetSeen", engine -> engine.resetSeen("ann", Cursor.of(POST)));
        methods.put("countNewer", engine -> engine.countNewer("ann", Cursor.of(POST)));
        methods.put("follow", engine -> engine.follow("ann", "cat"));
        methods.put("unfollow", engine -> engine.unfollow("ann", "bob"));
        methods.put("isFollowing", engine -> engine.isFollowing("ann", "bob"));
        methods.put("following", engine -> engine.following("ann", List.of("bob")));
        methods.put("followAll", engine -> engine.followAll("ann", List.of("cat")));
        methods.put("unfollowAll", engine -> engine.unfollowAll("ann", List.of("bob")));
        methods.put("moveFollowers", engine -> engine.moveFollowers("bob", "cat"));
        methods.put("hostGraph", FeedEngine::hostGraph);
        methods.put("followers", engine -> engine.followers("bob", 1));
        methods.put("followees", engine -> engine.followees("ann", 1));
        methods.put("followCounts", engine -> engine.followCounts("ann"));
        methods.put("refresh", engine -> engine.refresh("ann"));
        methods.put("rebuild", engine -> engine.rebuild("ann"));
        methods.put("inspect", engine -> engine.inspect("ann"));
        methods.put("explain", engine -> engine.explain("ann", POST.key()));
        methods.put("forget", engine -> engine.forget("bob"));
        methods.put("verify", engine -> engine.verify(VerifyRequest.everything()));
        methods.put("check", engine -> engine.check(Duration.ofSeconds(1)));
        methods.put("usePolicyOnAllEngines", engine -> engine.usePolicyOnAllEngines("calm"));
        methods.put("useOwnPolicyOnAllEngines", FeedEngine::useOwnPolicyOnAllEngines);
        methods.put("policyOnAllEngines", FeedEngine::policyOnAllEngines);
        methods.put("usePolicy", engine -> engine.usePolicy(FanoutPolicy.pull()));
        methods.put("archivePosts", FeedEngine::archivePosts);
        methods.put("live", engine -> engine.live("ann"));
        methods.put("live since", engine -> engine.live("ann", Cursor.of(POST)));
        methods.put("liveSubscribers", FeedEngine::liveSubscribers);
        methods.put("await", engine -> awaitPosts(engine));
        methods.put("presence connect", engine -> engine.presence().connect("ann"));
        methods.put("presence seen", engine -> engine.presence().seen("ann"));
        methods.put("presence seen of many", engine -> engine.presence().seen(List.of("ann")));
        methods.put("presence isOnline", engine -> engine.presence().isOnline("ann"));
        methods.put("presence online", engine -> engine.presence().online(List.of("ann")));
        methods.put("presence count", engine -> engine.presence().count());
        methods.put("presence list", engine -> engine.presence().list(1));
        methods.put("presence list after", engine -> engine.presence().list("MSBhbm4", 1));
        methods.put("presence lastSeen", engine -> engine.presence().lastSeen("ann"));
        methods.put("presence lastSeen of many", engine -> engine.presence().lastSeen(List.of("ann")));
        methods.put("presence announce", engine -> engine.presence().announce());
        methods.put("fanout drain", engine -> engine.fanout().drain());
        methods.put("fanout backlog", engine -> engine.fanout().backlog());
        methods.put("fanout deadLetters", engine -> engine.fanout().deadLetters(1));
        methods.put("fanout replay", engine -> engine.fanout().replay(List.of("1")));
        methods.put("fanout discard", engine -> engine.fanout().discard(List.of("1")));
        methods.put("fanout replayFinished", engine -> engine.fanout().replayFinished(Duration.ofHours(1)));
        return methods;
    }

    private static void awaitPosts(FeedEngine engine) {
        try {
            engine.await("ann", Cursor.of(POST), Duration.ofSeconds(1));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static Stream<Arguments> everyMethod() {
        return methods().entrySet().stream().map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("everyMethod")
    @DisplayName("refuses every call with its name, and writes nothing")
    void refuses(String method, Consumer<FeedEngine> call) {
        FeedEngine engine = FeedEngine.builder(store)
                .name("evening")
                .clock(clock)
                .workers(0)
                .build();
        engine.follow("ann", "bob");
        engine.read("ann", PageRequest.first(1));
        engine.publish("bob", "p1");
        engine.close();
        StoreDump before = StoreDump.of(store, "ann", "bob", "cat");
        assertThatThrownBy(() -> call.accept(engine)).isInstanceOfSatisfying(EngineClosedException.class, e -> {
            assertThat(e.engine()).isEqualTo("evening");
            assertThat(e).hasMessage("engine evening is closed");
            assertThat(e.isRetryable()).isFalse();
        });
        assertThat(StoreDump.of(store, "ann", "bob", "cat")).isEqualTo(before);
    }

    @Test
    @DisplayName("is tested here in all its methods")
    void complete() {
        assertThat(Arrays.stream(FeedEngine.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers())
                                && !Modifier.isStatic(method.getModifiers())
                                && !method.isSynthetic())
                        .map(method -> method.getName())
                        .collect(Collectors.toSet()))
                .allSatisfy(name -> assertThat(name)
                        .satisfiesAnyOf(
                                known -> assertThat(known).isIn("close", "fanout", "toString"),
                                known -> assertThat(methods().keySet()).anyMatch(tested -> tested.startsWith(known))));
    }

    @Test
    @DisplayName("may be closed again, paused and resumed")
    void harmless() {
        FeedEngine engine = FeedEngine.builder(store).workers(2).build();
        engine.close();
        engine.close();
        engine.fanout().pause();
        engine.fanout().resume();
    }

    @Test
    @DisplayName("has ended its threads, and left the store to others")
    void threadsEnd() {
        FeedEngine engine =
                FeedEngine.builder(store).name("with-threads").workers(3).build();
        assertThat(threads()).isEqualTo(3);
        engine.publish("bob", "p1");
        engine.close();
        assertThat(threads()).isZero();
        try (FeedEngine next = FeedEngine.builder(store).workers(0).build()) {
            assertThat(next.readAuthor("bob", PageRequest.first(1)).items()).hasSize(1);
        }
    }

    @Test
    @DisplayName("has ended its threads also if the closing one was interrupted, which still is")
    void interrupted() {
        FeedEngine engine =
                FeedEngine.builder(store).name("with-threads").workers(3).build();
        Thread.currentThread().interrupt();
        engine.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(threads()).isZero();
    }

    @Test
    @Timeout(300)
    @DisplayName("has waited for workers that hang in the store no longer than the lease, and has said so")
    void hangingWorkers() throws InterruptedException {
        CountDownLatch arrived = new CountDownLatch(2);
        CountDownLatch release = new CountDownLatch(1);
        ProbedStore hanging = new ProbedStore(store);
        hanging.before("FanoutLog.claim", () -> {
            arrived.countDown();
            hang(release);
        });
        try (LogCapture log = LogCapture.of(FanoutWorkerPool.class)) {
            FeedEngine engine = FeedEngine.builder(hanging)
                    .name("with-threads")
                    .workers(2)
                    .fanout(fanout -> fanout.lease(Duration.ofSeconds(1)))
                    .build();
            assertThat(arrived.await(30, SECONDS)).isTrue();
            engine.close();
            assertThat(threads()).isEqualTo(2);
            assertThat(log.messages(Level.WARN))
                    .containsExactly(
                            "with-threads: closed after waiting PT1S for fan-out threads: 0 hang in the listener, "
                                    + "and 2 in the store");
        } finally {
            release.countDown();
        }
        await().until(() -> threads() == 0);
    }

    @Test
    @Timeout(300)
    @DisplayName("says so if it is the listener that a worker hangs in")
    void hangingListener() throws InterruptedException {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (LogCapture log = LogCapture.of(FanoutWorkerPool.class)) {
            FeedEngine engine = FeedEngine.builder(store)
                    .name("with-threads")
                    .workers(1)
                    .fanout(fanout -> fanout.lease(Duration.ofSeconds(1)))
                    .listener(new FeedListener() {
                        @Override
                        public void taskFinished(TaskFinished event) {
                            arrived.countDown();
                            hang(release);
                        }
                    })
                    .build();
            engine.follow("ann", "bob");
            engine.publish("bob", "p1");
            assertThat(arrived.await(30, SECONDS)).isTrue();
            engine.close();
            assertThat(log.messages(Level.WARN))
                    .containsExactly(
                            "with-threads: closed after waiting PT1S for fan-out threads: 1 hang in the listener, "
                                    + "and 0 in the store");
        } finally {
            release.countDown();
        }
        await().until(() -> threads() == 0);
    }

    private static void hang(CountDownLatch release) {
        try {
            assertThat(release.await(30, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("with-threads-fanout-"))
                .filter(Thread::isDaemon)
                .count();
    }
}
