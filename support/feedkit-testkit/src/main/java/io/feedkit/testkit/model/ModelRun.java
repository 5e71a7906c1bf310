package io.feedkit.testkit.model;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.DeadLetter;
import io.feedkit.fanout.FanoutControl;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.fault.Fault;
import io.feedkit.testkit.fault.FaultyFeedStore;
import io.feedkit.testkit.fault.StoreCall;
import io.feedkit.testkit.internal.HostGraphStore;
import io.feedkit.testkit.oracle.OracleFeed;
import io.feedkit.testkit.oracle.OracleMirror;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A run of steps on two engines with one store, compared with the oracle. After every step, it checks the promises that
 * hold at any time.
 */
final class ModelRun {

    private static final int MOST_LETTERS = 1000;

    private final ModelSettings settings;
    private final SettableClock clock;
    private final FeedStore store;
    private final OracleFeed oracle;
    private final Host host = new Host();
    private final Optional<TwoSidedGraph> sides;
    private final Cluster cluster;
    private final ExpectedPosts expected;
    private final Reads reads;
    private final Settling settling;
    private final Restoration restoration;
    private final Edits edits;

    /**
     * Readers who have lost their inbox while a follow of theirs was pending, or whose data was deleted by a call that
     * was interrupted. If the follow was interrupted between the sides of the graph, pushes miss these readers until
     * the next reconciliation.
     */
    private final Set<String> lostFollows = new HashSet<>();

    /** @param more sets further settings of each engine */
    ModelRun(FeedStore empty, SettableClock clock, ModelSettings settings, UnaryOperator<FeedEngineBuilder> more) {
        this.settings = settings;
        this.clock = clock;
        this.oracle = new OracleFeed(settings.ownPosts());
        this.store = OracleMirror.of(empty, oracle);
        this.sides = TwoSidedGraph.of(empty.graph());
        this.cluster =
                new Cluster(settings.hostGraph() ? new HostGraphStore(store) : store, clock, settings, host, more);
        this.expected = new ExpectedPosts(oracle, host, store, clock, cluster, settings);
        this.reads = new Reads(cluster, expected, oracle, host, settings);
        this.settling = new Settling(cluster, expected, oracle, host, store, clock, settings);
        Optional<RestorableOutbox> outbox = RestorableOutbox.of(empty.outbox());
        this.restoration = new Restoration(outbox, oracle, expected, cluster, clock, settings);
        this.edits = new Edits(outbox, oracle, expected, clock);
    }

    Reads reads() {
        return reads;
    }

    Cluster cluster() {
        return cluster;
    }

    Restoration restoration() {
        return restoration;
    }

    Edits edits() {
        return edits;
    }

    /** The graph's two sides, if it has them. */
    Optional<TwoSidedGraph> sides() {
        return sides;
    }

    void run(List<Step> steps) {
        for (Step step : steps) {
            step.run(this);
            expected.sync();
        }
    }

    void settle() {
        settling.settle();
        sides.ifPresent(this::requireAgreement);
    }

    /**
     * An interrupted follow is finished when its reader's inbox is refreshed. If there is no inbox, the first refresh
     * builds it. A pending follow that was lost with its inbox is finished only by the same follow again.
     */
    private void requireAgreement(TwoSidedGraph graph) {
        for (String reader : Users.ALL) {
            if (lostFollows.contains(reader)) {
                continue;
            }
            FeedEngine engine = cluster.engine(0);
            engine.refresh(reader);
            engine.refresh(reader);
            if (slice(reader, 1).state() == State.LIVE) {
                List<Edge> wrong = graph.disagreements(reader, Users.ALL);
                require(wrong.isEmpty(), "the graph's sides disagree about " + wrong);
            }
        }
    }

    void publish(Step.Publish step) {
        long now = cluster.clock(step.engine()).millis();
        List<Post> posts = step.drafts().stream().map(draft -> draft.at(now)).toList();
        append(
                step.engine(),
                step.repeat(),
                posts,
                engine -> posts.size() == 1 ? List.of(engine.publish(posts.get(0))) : engine.publishAll(posts));
    }

    void importPosts(Step.Import step) {
        List<Post> posts = new ArrayList<>();
        long now = cluster.clock(step.engine()).millis();
        for (int i = 0; i < step.count(); i++) {
            posts.add(Post.of(step.author(), "import-" + i, now + step.offset() - i * step.spacing()));
        }
        append(step.engine(), step.repeat(), posts, engine -> engine.importPosts(posts));
    }

    private interface Append {
        List<Published> to(FeedEngine engine);
    }

    private void append(int number, boolean repeat, List<Post> posts, Append append) {
        FaultyFeedStore connection = cluster.store(number);
        int faults = connection.faults();
        List<Published> answers = new ArrayList<>();
        posts.stream().map(Post::key).filter(key -> !oracle.exists(key)).forEach(expected::leaveToWorkers);
        boolean returned = cluster.call(number, repeat, engine -> answers.addAll(append.to(engine)));
        boolean undisturbed = cluster.store(number) == connection && connection.faults() == faults;
        if (!returned) {
            return;
        }
        for (int i = 0; i < posts.size(); i++) {
            Post stored = answers.get(i).post();
            boolean exists = oracle.exists(stored.key());
            boolean deleted = oracle.tombstones().contains(stored.key());
            require(exists || deleted, "publish of " + stored + " returned, but it is not recorded");
            require(
                    deleted || oracle.publish(posts.get(i)).post().equals(stored),
                    "publish returned " + stored + ", which is not the post as stored");
        }
        List<PostPublished> pulled = cluster.takePulled(number);
        if (undisturbed) {
            pulled.forEach(event -> expected.visibleAtOnce(number, event.post().key()));
            answers.stream()
                    .filter(answer -> answer.status() == Published.Status.NEW)
                    .map(answer -> answer.post().key())
                    .forEach(key -> {
                        expected.doneByPublisher(key);
                        expected.ownAtOnce(key);
                    });
        }
    }

    void delete(Step.Delete step) {
        if (cluster.call(step.engine(), step.repeat(), engine -> engine.delete(step.author(), step.id()))) {
            require(
                    oracle.tombstones().contains(new PostKey(step.author(), step.id())),
                    "a delete returned, but is not recorded");
        }
    }

    void follow(Step.Follow step) {
        List<Post> before = oracle.posts();
        int changes = expected.changes();
        boolean returned = settings.hostGraph()
                ? followInHostGraph(step)
                : cluster.call(step.engine(), step.repeat(), engine -> engine.follow(step.reader(), step.author()));
        if (returned && !step.reader().equals(step.author())) {
            require(
                    oracle.follows(step.reader(), step.author()) || expected.changes() != changes,
                    "a follow returned, but is not recorded");
            expected.promise(
                    step.reader(),
                    before.stream()
                            .filter(post -> post.author().equals(step.author()))
                            .toList());
        }
    }

    /**
     * The host writes its graph, which cannot fail here, and repeats the report to the engine until a call succeeds.
     */
    private boolean followInHostGraph(Step.Follow step) {
        if (!step.reader().equals(step.author())) {
            hostGraph().add(List.of(new Edge(step.reader(), step.author())));
        }
        return cluster.call(step.engine(), true, engine -> engine.hostGraph().followed(step.reader(), step.author()));
    }

    void unfollow(Step.Unfollow step) {
        int changes = expected.changes();
        if (settings.hostGraph()) {
            hostGraph().remove(List.of(new Edge(step.reader(), step.author())));
            cluster.call(step.engine(), true, engine -> engine.hostGraph().unfollowed(step.reader(), step.author()));
        } else {
            cluster.call(step.engine(), true, engine -> engine.unfollow(step.reader(), step.author()));
        }
        require(
                !oracle.follows(step.reader(), step.author()) || expected.changes() != changes,
                "an unfollow returned, but is not recorded");
    }

    void followAll(Step.FollowAll step) {
        List<Post> before = oracle.posts();
        int changes = expected.changes();
        if (cluster.call(step.engine(), step.repeat(), engine -> engine.followAll(step.reader(), step.authors()))) {
            require(
                    step.authors().stream().allMatch(author -> oracle.follows(step.reader(), author))
                            || expected.changes() != changes,
                    "a follow of many returned, but is not recorded");
            expected.promise(
                    step.reader(),
                    before.stream()
                            .filter(post -> step.authors().contains(post.author()))
                            .toList());
        }
    }

    void unfollowAll(Step.UnfollowAll step) {
        int changes = expected.changes();
        cluster.call(step.engine(), true, engine -> engine.unfollowAll(step.reader(), step.authors()));
        require(
                step.authors().stream().noneMatch(author -> oracle.follows(step.reader(), author))
                        || expected.changes() != changes,
                "an unfollow of many returned, but is not recorded");
    }

    void moveFollowers(Step.MoveFollowers step) {
        if (settings.hostGraph() || step.from().equals(step.to())) {
            return;
        }
        List<Post> before = oracle.posts();
        List<String> readers = Users.ALL.stream()
                .filter(reader -> oracle.follows(reader, step.from()) && !reader.equals(step.to()))
                .toList();
        int changes = expected.changes();
        boolean returned =
                cluster.call(step.engine(), step.repeat(), engine -> engine.moveFollowers(step.from(), step.to()));
        // Without a repetition, a write that was interrupted between the sides may have left them different.
        sides.ifPresent(graph -> readers.stream()
                .filter(reader -> !graph.disagreements(reader, Users.ALL).isEmpty())
                .forEach(lostFollows::add));
        if (returned && expected.changes() == changes) {
            for (String reader : readers) {
                require(
                        !oracle.follows(reader, step.from()) && oracle.follows(reader, step.to()),
                        "a move of followers returned, but did not move " + reader);
                expected.promise(
                        reader,
                        before.stream()
                                .filter(post -> post.author().equals(step.to()))
                                .toList());
            }
        }
    }

    void unreported(Step.Unreported step) {
        if (settings.hostGraph() && !step.reader().equals(step.author())) {
            expected.unreported(step.reader(), step.author());
            List<Edge> edge = List.of(new Edge(step.reader(), step.author()));
            if (step.following()) {
                hostGraph().add(edge);
            } else {
                hostGraph().remove(edge);
            }
        }
    }

    void cutSides(Step.CutSides step) {
        AtomicInteger left = new AtomicInteger(1);
        cutSides(
                cluster.store(step.engine()),
                call -> TwoSidedGraph.WRITES.contains(call.operation()) && left.getAndDecrement() == 1,
                step.fault());
    }

    /** Makes calls write only the readers' sides of the graph, if it has sides, and lose their answers. */
    void cutSides(FaultyFeedStore connection, Predicate<StoreCall> when, Fault fault) {
        sides.ifPresent(graph -> connection.fail(
                call -> {
                    boolean fails = when.test(call);
                    if (fails) {
                        graph.cutNextWrite();
                    }
                    return fails;
                },
                fault));
    }

    private WritableFollowGraph hostGraph() {
        return (WritableFollowGraph) store.graph();
    }

    void forget(Step.Forget step) {
        cluster.call(step.engine(), true, engine -> engine.forget(step.user()));
        reads.forget(step.user());
        // A removal that was interrupted between the sides is not repeated: the reader's side no longer has the edge.
        if (sides.filter(graph -> !graph.disagreements(step.user(), Users.ALL).isEmpty())
                .isPresent()) {
            lostFollows.add(step.user());
        }
    }

    void toggleMute(Step.ToggleMute step) {
        host.toggleMute(step.reader(), step.author());
    }

    void toggleContent(Step.ToggleContent step) {
        host.toggleContent(new PostKey(step.author(), step.id()));
    }

    void usePolicy(Step.UsePolicy step) {
        cluster.usePolicy(step.engine(), step.policy());
    }

    void refresh(Step.Refresh step) {
        List<Post> before = oracle.feed(step.reader());
        cluster.call(step.engine(), true, engine -> engine.refresh(step.reader()));
        healed(step.reader(), before);
    }

    void rebuild(Step.Rebuild step) {
        List<Post> before = oracle.feed(step.reader());
        List<Boolean> built = new ArrayList<>();
        cluster.call(step.engine(), true, engine -> built.add(engine.rebuild(step.reader())));
        if (built.get(0)) {
            healed(step.reader(), before);
        }
    }

    private void healed(String reader, List<Post> before) {
        if (!expected.isInterleaved() && !lostFollows.contains(reader)) {
            expected.heal(reader);
            expected.promise(reader, before);
        }
    }

    void evict(Step.Evict step) {
        if (!slice(step.reader(), 1).pending().isEmpty()) {
            lostFollows.add(step.reader());
            expected.damage(step.reader());
        }
        inbox().drop(List.of(step.reader()));
        if (!expected.isInterleaved() && !lostFollows.contains(step.reader())) {
            expected.heal(step.reader());
        }
    }

    void loseEntry(Step.LoseEntry step) {
        Slice slice = slice(step.reader(), step.nth() + 1);
        if (slice.posts().size() > step.nth()) {
            expected.damage(step.reader());
            inbox().retract(List.of(new Retraction(slice.posts().get(step.nth()), List.of(step.reader()))));
        }
    }

    void wrongEntry(Step.WrongEntry step) {
        String reader = step.reader();
        Slice slice = slice(reader, step.nth() + 1);
        if (slice.posts().size() <= step.nth()) {
            return;
        }
        Post held = slice.posts().get(step.nth());
        Post wrong = step.damage() == Step.Damage.LOST
                ? Post.of(
                        held.author(),
                        Step.LOST + step.nth(),
                        held.publishedAt().toEpochMilli())
                : Post.of(held.author(), held.id(), held.publishedAt().toEpochMilli() - 1);
        expected.damage(reader, wrong);
        if (step.damage() == Step.Damage.MOVED) {
            inbox().retract(List.of(new Retraction(held, List.of(reader))));
        }
        inbox().deliver(List.of(new Delivery(wrong, List.of(reader), 0)));
    }

    private Slice slice(String reader, int limit) {
        return inbox().slice(List.of(new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, limit, false)))
                .get(0);
    }

    private Inbox inbox() {
        return store.inbox(new InboxLimits(settings.cap(), settings.liveWindow().toMillis()));
    }

    void pass(Step.Pass step) {
        expected.sync();
        clock.advance(Duration.ofMillis(step.millis()));
    }

    void setClock(Step.SetClock step) {
        cluster.clock(step.engine()).set(step.millisAhead());
    }

    void pause(Step.Pause step) {
        FanoutControl fanout = cluster.engine(step.engine()).fanout();
        if (step.rest()) {
            fanout.pause();
        } else {
            fanout.resume();
        }
    }

    void failAt(Step.FailAt step) {
        cluster.store(step.engine())
                .failAtEffect(cluster.store(step.engine()).effects() + step.effectsAhead(), step.fault());
    }

    void disarm(Step.Disarm step) {
        cluster.store(step.engine()).heal();
    }

    void failNext(Step.FailNext step) {
        cluster.store(step.engine()).failNext(step.operation(), step.times(), step.fault());
    }

    void drain(Step.Drain step) {
        if (step.stopAfter() > 0) {
            failAt(new Step.FailAt(step.engine(), step.stopAfter(), Fault.FAIL_BEFORE));
        }
        cluster.call(
                step.engine(), step.stopAfter() == 0, engine -> engine.fanout().drain());
    }

    void replayDead(Step.ReplayDead step) {
        expected.deliverAgain();
        cluster.call(
                step.engine(),
                true,
                engine -> engine.fanout()
                        .replay(engine.fanout().deadLetters(MOST_LETTERS).stream()
                                .map(DeadLetter::id)
                                .toList()));
    }

    void replayFinished(Step.ReplayFinished step) {
        expected.deliverAgain();
        cluster.call(step.engine(), true, engine -> engine.fanout().replayFinished(Duration.ofMinutes(10)));
    }

    void restart(Step.Restart step) {
        cluster.restart(step.engine());
    }

    void interleave(Step.Interleave step) {
        FaultyFeedStore connection = cluster.store(step.engine());
        AtomicInteger calls = new AtomicInteger();
        Predicate<StoreCall> when = call -> calls.incrementAndGet() == step.call();
        Consumer<StoreCall> meanwhile = call -> {
            expected.begin(step.outer());
            connection.without("", () -> {
                for (Step inner : step.inner()) {
                    inner.run(this);
                    expected.sync();
                }
                return step;
            });
            expected.end();
        };
        if (step.answered()) {
            connection.onAnswer(when, meanwhile);
        } else {
            connection.onCall(when, meanwhile);
        }
        step.outer().run(this);
        calls.set(step.call());
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }
}
