package io.feedkit.testkit.internal.callback;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.feedkit.CallbackException;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedKitException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.rank.RankRequest;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.Exhaustive;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import io.feedkit.testkit.forwarding.ForwardingInbox;
import io.feedkit.testkit.internal.ThreadPerTask;
import io.feedkit.testkit.internal.feed.FeedRules;
import io.feedkit.testkit.internal.feed.FeedStoreKit;
import io.feedkit.testkit.internal.feed.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A host whose callback throws, blocks, or calls the engine, during all operations of the engine and its workers that
 * use the callback. An operation that depends on the callback's answer fails with a typed exception. An operation that
 * the callback only observes, or adds a part of cards to, does not fail. When the callback works again, the feeds are
 * right, and a worker delivers the next post.
 */
public abstract class CallbackRules extends FeedRules {

    private static final String ENGINE = "troubled";
    private static final int WORKERS = 2;

    /** The distance of the cases in the sample. It is prime, so that the sample has every kind of trouble. */
    private static final int STRIDE = 13;

    /**
     * Much longer than a case takes, which is less than a second. An engine that waits for itself waits for a whole
     * lease.
     */
    private static final long LONGEST_SECONDS = 30;

    private static final Duration LONG_LEASE = Duration.ofSeconds(2 * LONGEST_SECONDS);

    private final Executor threads = new ThreadPerTask();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicBoolean begun = new AtomicBoolean();
    private final Set<Thread> inside = ConcurrentHashMap.newKeySet();
    private final AtomicLong trusted = new AtomicLong();
    private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> escapedInside = new ConcurrentLinkedQueue<>();
    private final List<Throwable> escaped = new ArrayList<>();
    private final AtomicBoolean outOfReach = new AtomicBoolean();
    private boolean hasOwnGraph;

    protected CallbackRules(FeedStoreKit kit) {
        super(kit);
    }

    /** The trouble that a callback makes before its work. */
    enum Trouble {
        THROWS_CHECKED,
        THROWS_UNCHECKED,
        THROWS_ERROR,
        THROWS_UNPRINTABLE,
        OVERFLOWS_STACK,
        BLOCKS,
        CALLS_ENGINE
    }

    /** All cases, except clocks that block or call the engine: no real clock does that. */
    static Stream<Arguments> allCases() {
        return Arrays.stream(Callback.values())
                .flatMap(callback -> Arrays.stream(Trouble.values())
                        .filter(trouble -> callback != Callback.CLOCK || !waitsForSelf(trouble))
                        .map(trouble -> Arguments.of(callback, trouble)));
    }

    static Stream<Arguments> someCases() {
        List<Arguments> all = allCases().toList();
        return IntStream.range(0, all.size()).filter(i -> i % STRIDE == 0).mapToObj(all::get);
    }

    @AfterEach
    void release() {
        released.countDown();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("someCases")
    @DisplayName("a callback that throws, blocks or calls the engine makes no feed wrong and costs no worker, in a "
            + "sample of cases")
    void someTroubles(Callback callback, Trouble trouble) {
        inTrouble(callback, trouble);
    }

    @Exhaustive
    @Tag(Exhaustive.ENGINE)
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("allCases")
    @DisplayName("a callback that throws, blocks or calls the engine makes no feed wrong and costs no worker")
    void allTroubles(Callback callback, Trouble trouble) {
        inTrouble(callback, trouble);
    }

    private void inTrouble(Callback callback, Trouble trouble) {
        hasOwnGraph = callback.isGraph();
        prepare();
        CompletableFuture<FeedEngine> built = new CompletableFuture<>();
        TroubledHost host = new TroubledHost(callback, () -> make(trouble, built.join()));
        FeedEngine engine = open(troubled(host, trouble));
        built.complete(engine);

        List<Runnable> actions = actions(engine, host, callback);
        List<Runnable> failed = new ArrayList<>();
        outOfReach.set(callback == Callback.TASK_FAILED);
        host.trouble(true);
        CompletableFuture<Void> acting =
                CompletableFuture.runAsync(() -> actions.forEach(action -> attempt(action, callback, failed)), threads);
        if (trouble == Trouble.BLOCKS) {
            await(CompletableFuture.runAsync(this::awaitEntered, threads), "the callback");
            await(CompletableFuture.runAsync(() -> meanwhile(engine), threads), "the operations of other threads");
            released.countDown();
        }
        await(acting, "the host's actions");
        host.trouble(false);
        outOfReach.set(false);

        assertThat(host.reached()).as("calls of the callback").isPositive();
        assertThat(escapedInside)
                .as("exceptions of the engine inside the callback")
                .isEmpty();
        assertReported(callback, trouble, host);
        failed.forEach(Runnable::run);
        settle(engine, trouble);
        assertRight(engine, trouble);
        assertWorkersAlive(engine, host);
    }

    /** Three readers, of whom two follow a small author and all of them a large one. */
    private void prepare() {
        FeedEngine sound = engine(Policy.PUSH);
        follow(sound, ANN, BOB, CAT, ZOE);
        follow(sound, DAN, YAN, BOB);
        follow(sound, YAN, BOB);
        Stream.of(BOB, CAT, DAN, ZOE, YAN).forEach(author -> sound.publishAll(posts(author, 3)));
        sound.fanout().drain();
        Stream.of(ANN, DAN, YAN).forEach(reader -> visit(sound, reader));
    }

    private FeedEngineBuilder troubled(TroubledHost host, Trouble trouble) {
        return FeedEngine.builder(storeOf(host))
                .name(ENGINE)
                .clock(host.clock(clock()))
                .workers(WORKERS)
                .fanout(fanout -> fanout.lease(waitsForSelf(trouble) ? LONG_LEASE : kit.shortTime())
                        .pollInterval(Duration.ofMillis(5))
                        .retryDelay(Duration.ofMillis(1)))
                .reading(reading -> reading.staleness(Duration.ZERO).followeeAge(Duration.ofMillis(1)))
                .fanout(fanout -> fanout.batchSize(1).splitThreshold(2).maxAttempts(1000))
                .policy(author -> {
                    host.at(Callback.POLICY);
                    return author.followers() < 2 ? FanoutMode.PULL : FanoutMode.PUSH;
                })
                .filter(host::visible)
                .listener(host);
    }

    /**
     * The store for a host: with the host's own graph, if the test is about the graph. Its inboxes can be made
     * unreachable, and can report a suspected loss.
     */
    private FeedStore storeOf(TroubledHost host) {
        FollowGraph graph = hasOwnGraph ? host.graph(store.graph()) : store.graph();
        return new ForwardingFeedStore() {
            @Override
            public FeedStore delegate() {
                return store;
            }

            @Override
            public Outbox outboxForFollowers() {
                return hasOwnGraph ? store.outbox() : store.outboxForFollowers();
            }

            @Override
            public Inbox inbox(InboxLimits limits) {
                Inbox sound = store.inbox(limits);
                return new ForwardingInbox() {
                    @Override
                    public Inbox delegate() {
                        return sound;
                    }

                    @Override
                    public List<List<Outcome>> deliver(List<Delivery> deliveries) {
                        if (outOfReach.get()) {
                            throw new StoreUnavailableException("inbox.deliver", null);
                        }
                        return sound.deliver(deliveries);
                    }

                    @Override
                    public long deliveriesSafeSince() {
                        return trusted.get();
                    }
                };
            }

            @Override
            public FollowGraph graph() {
                return graph;
            }
        };
    }

    /** Makes the trouble of the callback. */
    private void make(Trouble trouble, FeedEngine engine) {
        switch (trouble) {
            case THROWS_CHECKED -> throwInCallback(Thrown.CHECKED);
            case THROWS_UNCHECKED -> throwInCallback(Thrown.UNCHECKED);
            case THROWS_ERROR -> throwInCallback(Thrown.ERROR);
            case THROWS_UNPRINTABLE -> throwInCallback(Thrown.UNPRINTABLE);
            case OVERFLOWS_STACK -> throwInCallback(Thrown.STACK_OVERFLOW);
            case BLOCKS -> {
                if (begun.compareAndSet(false, true)) {
                    entered.countDown();
                    awaitReleased();
                }
            }
            case CALLS_ENGINE -> {
                if (inside.add(Thread.currentThread())) {
                    callBack(engine);
                    inside.remove(Thread.currentThread());
                }
            }
        }
    }

    private void throwInCallback(Thrown what) {
        what.happen("thrown by the host", thrown::add);
    }

    private void callBack(FeedEngine engine) {
        try {
            engine.publish(post(BOB, 20));
            edge(engine, DAN, ZOE);
            engine.delete(ZOE, "p0001");
            feed(engine, ANN);
            hydrated(engine, DAN);
            engine.unread(ANN);
            engine.refresh(ANN);
            engine.rebuild(ANN);
            engine.rebuild(DAN);
            if (!isWorker(Thread.currentThread())) {
                engine.fanout().drain();
            }
        } catch (Throwable e) {
            escapedInside.add(e);
        }
    }

    /**
     * The operations of other threads while the callback blocks. Not all operations of the reader concerned can
     * proceed: only the blocked call knows that reader's followees.
     */
    private void meanwhile(FeedEngine engine) {
        engine.publish(post(YAN, 5));
        edge(engine, DAN, ZOE);
        engine.delete(ZOE, "p0001");
        feed(engine, DAN);
        hydrated(engine, YAN);
        engine.unread(DAN);
        engine.refresh(DAN);
        engine.rebuild(DAN);
        if (!hasOwnGraph) {
            feed(engine, ANN);
        }
    }

    /** The host's actions while its callback makes trouble; all of them may be repeated. */
    private List<Runnable> actions(FeedEngine engine, TroubledHost host, Callback callback) {
        List<Runnable> actions = new ArrayList<>(List.of(
                () -> engine.publish(post(BOB, 10)),
                () -> engine.publish(post(CAT, 10)),
                () -> edge(engine, ANN, DAN),
                () -> noEdge(engine, ANN, ZOE),
                () -> engine.delete(BOB, "p0001"),
                () -> feed(engine, ANN),
                () -> engine.read(ANN, PageRequest.first(ALL), host.loader()),
                () -> engine.ranked(ANN, RankRequest.top(ALL, 2), host.ranker()),
                () -> engine.read(ANN, PageRequest.first(ALL), host.cards(Duration.ofSeconds(LONGEST_SECONDS))),
                () -> engine.unread(ANN),
                () -> engine.following(ANN, List.of(BOB, ZOE)),
                () -> engine.fanout().drain(),
                () -> engine.delete(CAT, "p0001"),
                () -> engine.rebuild(ANN),
                () -> engine.refresh(ANN),
                () -> engine.fanout().drain()));
        if (callback == Callback.DOUBTED) {
            actions.add(0, () -> suspectLoss(engine));
        }
        return actions;
    }

    /** Makes the inboxes report a suspected loss, until the engine may restart tasks. */
    private void suspectLoss(FeedEngine engine) {
        trusted.set(kit.now());
        kit.pass(Duration.ofMillis(1001));
        engine.fanout().drain();
        kit.pass(Duration.ofMillis(Inbox.LOSS_NOTICED_WITHIN_MILLIS + 1));
    }

    private void edge(FeedEngine engine, String reader, String author) {
        if (hasOwnGraph) {
            graph().add(List.of(new Edge(reader, author)));
            engine.hostGraph().followed(reader, author);
        } else {
            engine.follow(reader, author);
        }
    }

    private void noEdge(FeedEngine engine, String reader, String author) {
        if (hasOwnGraph) {
            graph().remove(List.of(new Edge(reader, author)));
            engine.hostGraph().unfollowed(reader, author);
        } else {
            engine.unfollow(reader, author);
        }
    }

    private WritableFollowGraph graph() {
        return (WritableFollowGraph) store.graph();
    }

    private void attempt(Runnable action, Callback callback, List<Runnable> failed) {
        try {
            action.run();
        } catch (Throwable e) {
            failed.add(action);
            escaped.add(e);
            assertMayEscape(e, callback);
        }
    }

    private void assertMayEscape(Throwable failure, Callback callback) {
        assertThat(callback.isOptional())
                .as("whether the callback is optional, whose failure escapes: %s", failure)
                .isFalse();
        callback.decides()
                .ifPresentOrElse(
                        name -> assertThat(failure).isInstanceOfSatisfying(CallbackException.class, e -> {
                            assertThat(e.callback()).isEqualTo(name);
                            assertThat(e.getCause()).isIn(thrown);
                        }),
                        () -> {
                            if (!(failure instanceof FeedKitException)) {
                                assertThat(failure).isIn(thrown);
                            }
                        });
    }

    /**
     * An exception of a callback reaches the caller, or the listener if a task failed because of it. Exceptions of the
     * listener and of parts of cards, and exceptions that end a worker's round, are only logged.
     */
    private void assertReported(Callback callback, Trouble trouble, TroubledHost host) {
        boolean isOnlyLogged = callback.isOptional() || callback == Callback.SPLIT;
        if (trouble.compareTo(Trouble.BLOCKS) < 0 && !isOnlyLogged) {
            assertThat(escaped.size() + host.failures().size())
                    .as("reported failures")
                    .isPositive();
        } else if (!callback.isGraph()) {
            assertThat(escaped).as("exceptions that escaped").isEmpty();
        }
    }

    /** Lets leases and delays run out, and runs the tasks that waited for them. */
    private void settle(FeedEngine engine, Trouble trouble) {
        for (int round = 0; round < 3; round++) {
            kit.pass(
                    waitsForSelf(trouble)
                            ? LONG_LEASE.plusMillis(2)
                            : kit.shortTime().plusMillis(2));
            engine.fanout().drain();
        }
    }

    private void assertRight(FeedEngine engine, Trouble trouble) {
        List<Post> ofAnn = new ArrayList<>(List.of(post(BOB, 2), post(BOB, 3), post(BOB, 10)));
        ofAnn.addAll(List.of(post(CAT, 2), post(CAT, 3), post(CAT, 10)));
        ofAnn.addAll(posts(DAN, 3));
        List<Post> ofDan = new ArrayList<>(List.of(post(BOB, 2), post(BOB, 3), post(BOB, 10)));
        ofDan.addAll(posts(YAN, 3));
        if (trouble == Trouble.BLOCKS) {
            ofDan.add(post(YAN, 5));
        }
        if (trouble == Trouble.CALLS_ENGINE) {
            ofAnn.add(post(BOB, 20));
            ofDan.add(post(BOB, 20));
        }
        if (waitsForSelf(trouble)) {
            ofDan.addAll(List.of(post(ZOE, 2), post(ZOE, 3)));
        }
        FeedEngine another = engine(Policy.PUSH);
        for (FeedEngine each : List.of(engine, another)) {
            assertThat(feed(each, ANN)).isEqualTo(newestFirst(ofAnn));
            assertThat(hydrated(each, ANN)).isEqualTo(newestFirst(ofAnn));
            assertThat(feed(each, DAN)).isEqualTo(newestFirst(ofDan));
        }
        assertThat(engine.fanout().deadLetters(10)).isEmpty();
        assertThat(engine.fanout().backlog().tasks()).as("unfinished tasks").isZero();
    }

    /** Asserts that workers, and not a drain, deliver the next post. */
    private void assertWorkersAlive(FeedEngine engine, TroubledHost host) {
        assertThat(Thread.getAllStackTraces().keySet().stream().filter(CallbackRules::isWorker))
                .as("workers")
                .hasSize(WORKERS);
        int before = host.finishers().size();
        engine.publish(post(BOB, 30));
        await(
                CompletableFuture.runAsync(
                        () -> {
                            while (host.finishers().size() == before) {
                                Thread.onSpinWait();
                            }
                        },
                        threads),
                "a worker");
        assertThat(host.finishers().subList(before, before + 1)).allMatch(CallbackRules::isWorker);
        assertThat(slice(ANN).posts()).contains(post(BOB, 30));
    }

    private static boolean isWorker(Thread thread) {
        return thread.getName().startsWith(ENGINE + "-fanout-");
    }

    private static boolean waitsForSelf(Trouble trouble) {
        return trouble == Trouble.BLOCKS || trouble == Trouble.CALLS_ENGINE;
    }

    private void awaitEntered() {
        await(entered);
    }

    private void awaitReleased() {
        await(released);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LONGEST_SECONDS, SECONDS))
                    .as("whether it was delivered in time")
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static void await(CompletableFuture<Void> doing, String what) {
        try {
            doing.get(LONGEST_SECONDS, SECONDS);
        } catch (TimeoutException e) {
            fail("%s did not end within %d seconds", what, LONGEST_SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(what, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
