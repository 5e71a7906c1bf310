package io.feedkit.testkit.internal.callback;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedKitException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.testkit.Exhaustive;
import io.feedkit.testkit.forwarding.ForwardingFanoutLog;
import io.feedkit.testkit.forwarding.ForwardingInbox;
import io.feedkit.testkit.forwarding.ForwardingOutbox;
import io.feedkit.testkit.forwarding.ForwardingPulledRegister;
import io.feedkit.testkit.forwarding.ForwardingSeenMarks;
import io.feedkit.testkit.forwarding.ForwardingWritableFollowGraph;
import io.feedkit.testkit.internal.feed.FeedRules;
import io.feedkit.testkit.internal.feed.FeedStoreKit;
import io.feedkit.testkit.internal.feed.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A store whose calls throw what the SPI does not declare, because of a bug of the store or of a library below it. A
 * call of an engine may fail because of it. After the call is repeated and the leases have expired, the feeds are
 * right, and the workers still run.
 */
public abstract class UndeclaredRules extends FeedRules {

    /** The distance of the calls in the sample. Successive calls throw different kinds of throwables. */
    private static final int STRIDE = 13;

    private static final List<Thrown> KINDS = List.of(Thrown.values());

    private static final String ENGINE = "undeclared";
    private static final int WORKERS = 2;

    private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    private volatile Runnable before = () -> {};
    private int scenes;

    protected UndeclaredRules(FeedStoreKit kit) {
        super(kit);
    }

    /** Readers and authors of their own, so that many scenes fit into one store. */
    private record Scene(int number) {
        String named(String user) {
            return user + number;
        }

        Post newPost() {
            return post(named(BOB), 10);
        }

        /** The feed that ann sees at the end. */
        List<Post> feed() {
            List<Post> feed = new ArrayList<>(List.of(post(named(BOB), 2), post(named(BOB), 3), newPost()));
            feed.addAll(posts(named(DAN), 3));
            return newestFirst(feed);
        }
    }

    @Test
    @DisplayName("an undeclared exception or error of some calls to the store in turn makes no feed wrong")
    void someCallsInTurn() {
        int calls = calls();
        for (int call = 1; call <= calls; call += STRIDE) {
            throwAt(call, KINDS.get(call / STRIDE % KINDS.size()));
        }
    }

    @Exhaustive
    @Tag(Exhaustive.ENGINE)
    @ParameterizedTest
    @EnumSource
    @DisplayName("an undeclared exception or error of every call to the store in turn makes no feed wrong")
    void everyCallInTurn(Thrown what) {
        int calls = calls();
        for (int call = 1; call <= calls; call++) {
            throwAt(call, what);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("undeclared exceptions and errors of all calls of the workers for a while stop no worker")
    void workers(Thrown what) throws InterruptedException {
        Scene scene = prepared();
        CountDownLatch met = new CountDownLatch(2 * WORKERS);
        FeedEngine engine = open(builder().workers(WORKERS));
        before = () -> {
            if (isWorker(Thread.currentThread())) {
                met.countDown();
                what.happen("thrown by the store", thrown::add);
            }
        };
        engine.publish(scene.newPost());
        assertThat(met.await(30, TimeUnit.SECONDS)).as("workers met failures").isTrue();
        before = () -> {};
        assertThat(Thread.getAllStackTraces().keySet().stream().filter(UndeclaredRules::isWorker))
                .as("workers")
                .hasSize(WORKERS);
        settle(engine);
        assertThat(engine.fanout().deadLetters(10)).isEmpty();
        assertThat(slice(scene.named(ANN)).posts()).contains(scene.newPost());
    }

    private static boolean isWorker(Thread thread) {
        return thread.getName().startsWith(ENGINE + "-fanout-");
    }

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(throwing())
                .name(ENGINE)
                .clock(clock())
                .reading(reading -> reading.staleness(Duration.ZERO))
                .fanout(fanout -> fanout.lease(kit.shortTime()).pollInterval(Duration.ofMillis(5)))
                .policy(author -> author.author().startsWith(DAN) ? FanoutMode.PULL : FanoutMode.PUSH);
    }

    private Scene prepared() {
        Scene scene = new Scene(++scenes);
        FeedEngine sound = engine(Policy.PUSH);
        follow(sound, scene.named(ANN), scene.named(BOB), scene.named(ZOE));
        follow(sound, scene.named(CAT), scene.named(BOB));
        for (String author : List.of(BOB, DAN, ZOE)) {
            sound.publishAll(posts(scene.named(author), 3));
        }
        sound.fanout().drain();
        visit(sound, scene.named(ANN));
        visit(sound, scene.named(CAT));
        return scene;
    }

    /** The actions; all of them may be repeated. */
    private List<Runnable> actions(FeedEngine engine, Scene scene) {
        String ann = scene.named(ANN);
        return List.of(
                () -> engine.publish(scene.newPost()),
                () -> engine.fanout().drain(),
                () -> feed(engine, ann),
                () -> engine.delete(scene.named(BOB), "p0001"),
                () -> engine.follow(ann, scene.named(DAN)),
                () -> engine.unfollow(ann, scene.named(ZOE)),
                () -> engine.fanout().drain(),
                () -> engine.publish(post(scene.named(DAN), 3)),
                () -> engine.rebuild(ann),
                () -> engine.refresh(ann),
                () -> engine.markSeen(
                        ann, engine.read(ann, PageRequest.first(1)).newer()),
                () -> engine.unread(ann));
    }

    private int calls() {
        AtomicInteger calls = new AtomicInteger();
        Scene scene = prepared();
        FeedEngine engine = open(builder().workers(0));
        before = calls::incrementAndGet;
        actions(engine, scene).forEach(Runnable::run);
        before = () -> {};
        assertThat(calls).as("calls to the store").hasValueGreaterThan(40);
        return calls.get();
    }

    private void throwAt(int call, Thrown what) {
        Scene scene = prepared();
        try (FeedEngine engine = builder().workers(0).build()) {
            AtomicInteger calls = new AtomicInteger();
            before = () -> {
                if (calls.incrementAndGet() == call) {
                    what.happen("thrown by the store", thrown::add);
                }
            };
            List<Runnable> failed = new ArrayList<>();
            actions(engine, scene).forEach(action -> attempt(action, failed));
            before = () -> {};
            failed.forEach(Runnable::run);
            settle(engine);
            FeedEngine another = engine(Policy.PUSH);
            for (FeedEngine each : List.of(engine, another)) {
                assertThat(hydrated(each, scene.named(ANN)))
                        .as("after %s at call %d", what, call)
                        .isEqualTo(scene.feed());
            }
            assertThat(slice(scene.named(CAT)).posts())
                    .as("the inbox of another reader, after %s at call %d", what, call)
                    .isEqualTo(newestFirst(
                            List.of(post(scene.named(BOB), 2), post(scene.named(BOB), 3), scene.newPost())));
            assertThat(engine.fanout().deadLetters(10)).isEmpty();
        }
    }

    private void attempt(Runnable action, List<Runnable> failed) {
        try {
            action.run();
        } catch (Throwable e) {
            failed.add(action);
            if (!(e instanceof FeedKitException)) {
                assertThat(e).isIn(thrown);
            }
        }
    }

    /** Lets leases and delays run out, and runs the tasks that waited for them. */
    private void settle(FeedEngine engine) {
        for (int round = 0; round < 3; round++) {
            kit.outlast();
            engine.fanout().drain();
        }
    }

    /**
     * The store, every call of which may throw. It is built from forwarding interfaces, because a proxy would wrap
     * undeclared throwables.
     */
    private FeedStore throwing() {
        Outbox outbox = store.outboxForFollowers();
        FanoutLog log = outbox.fanout();
        PulledRegister register = outbox.pulled();
        WritableFollowGraph graph = (WritableFollowGraph) store.graph();
        SeenMarks marks = store.seenMarks();
        ForwardingFanoutLog throwingLog = () -> orThrow(log);
        ForwardingPulledRegister throwingRegister = () -> orThrow(register);
        ForwardingWritableFollowGraph throwingGraph = () -> orThrow(graph);
        ForwardingSeenMarks throwingMarks = () -> orThrow(marks);
        Outbox throwingOutbox = new ForwardingOutbox() {
            @Override
            public Outbox delegate() {
                return orThrow(outbox);
            }

            @Override
            public FanoutLog fanout() {
                return throwingLog;
            }

            @Override
            public PulledRegister pulled() {
                return throwingRegister;
            }
        };
        return FeedStore.of(
                throwingOutbox,
                limits -> {
                    Inbox inbox = store.inbox(limits);
                    ForwardingInbox throwingInbox = () -> orThrow(inbox);
                    return throwingInbox;
                },
                throwingGraph,
                throwingMarks);
    }

    private <T> T orThrow(T part) {
        before.run();
        return part;
    }
}
