package io.feedkit.testkit.internal.feed;

import static io.feedkit.testkit.internal.Samples.newestFirst;
import static io.feedkit.testkit.internal.Samples.post;
import static io.feedkit.testkit.internal.Samples.posts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedPage;
import io.feedkit.ForeignStoreException;
import io.feedkit.OutcomeUnknownException;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.StoreUnavailableException;
import io.feedkit.event.FeedListener;
import io.feedkit.event.PostPublished;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.State;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.spi.WritableFollowGraph.Edge;
import io.feedkit.testkit.fault.FaultyFeedStore;
import io.feedkit.testkit.forwarding.InterleavingStore;
import io.feedkit.testkit.internal.Race;
import io.feedkit.testkit.internal.RegisterSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stable pages. Shown posts stay. Unreported changes of the graph show. A failure of a part that a page does not need
 * does not fail the page.
 */
public abstract class StabilityBehaviours extends FeedRules {

    private static final Duration AGE = Duration.ofMinutes(1);

    /** Longer than the pause of an engine after a failed upkeep of an inbox. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

    private static final int MANY = 40;

    protected StabilityBehaviours(FeedStoreKit kit) {
        super(kit);
    }

    @Test
    @DisplayName("inboxes refuse an engine with another source of truth at its start, by name")
    void foreignInboxes() {
        FeedEngine engine = engine(Policy.PUSH);
        engine.follow(ANN, BOB);
        publish(engine, post(BOB, 1));
        assertThat(feed(engine, ANN)).containsExactly(post(BOB, 1));
        FeedStore other = InMemoryFeedStore.create(clock());
        FeedStore mixed = FeedStore.of(other.outbox(), store::inbox, other.graph(), other.seenMarks());
        FeedEngineBuilder stranger = FeedEngine.builder(mixed).clock(clock()).workers(0);
        assertThatThrownBy(stranger::build).isInstanceOfSatisfying(ForeignStoreException.class, e -> {
            assertThat(e.found()).isEqualTo(store.outbox().identity());
            assertThat(e.expected()).isEqualTo(other.outbox().identity());
        });
        assertThat(feed(engine(Policy.PUSH), ANN)).containsExactly(post(BOB, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    @DisplayName("a post that a page showed stays while its author leaves the pulled register, also if its own push "
            + "waits for a worker that died")
    void shownStays(int place) {
        FeedEngine engine = open(builder(Policy.PULL).fanout(fanout -> fanout.lease(kit.shortTime())));
        engine.follow(ANN, BOB);
        visit(engine, ANN);
        engine.publish(post(BOB, 10));
        engine.fanout().drain();
        engine.usePolicy(FanoutPolicy.push());
        engine.publish(post(BOB, place));
        assertThat(store.outbox().fanout().claim(10, kit.shortTime().toMillis()))
                .as("tasks of the worker that dies")
                .hasSize(1);
        FeedPage<Post> first = engine.read(ANN, PageRequest.first(10));
        engine.publish(post(BOB, 30));
        engine.fanout().drain();
        assertThat(feed(engine, ANN)).containsAll(first.items()).contains(post(BOB, 30));
        assertThat(engine.read(ANN, PageRequest.newer(first.newer(), 10)).items())
                .contains(post(BOB, 30));
        kit.pass(kit.shortTime().plusMillis(2));
        engine.fanout().drain();
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(List.of(post(BOB, 10), post(BOB, place), post(BOB, 30))));
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled()).isEmpty();
    }

    @Test
    @DisplayName(
            "a post shown without the inbox store stays on pages from the inbox and in counts, on every engine, like"
                    + " the rest of its walk")
    void shownWithoutInboxStays() {
        FaultyFeedStore faulty = FaultyFeedStore.around(store);
        FeedEngine engine = open(FeedEngine.builder(faulty)
                .clock(clock())
                .workers(0)
                .reading(reading -> reading.staleness(Duration.ZERO))
                .policy(Policy.PUSH.fanout()));
        FeedEngine other = engine(Policy.PUSH);
        follow(engine, ANN, BOB, CAT);
        visit(engine, ANN);
        publish(engine, posts(BOB, 3));
        engine.publish(post(BOB, 4));
        engine.publish(post(CAT, 5));
        List<Post> all = newestFirst(List.of(post(BOB, 1), post(BOB, 2), post(BOB, 3), post(BOB, 4), post(CAT, 5)));
        FeedPage<Post> first = faulty.without("inbox.", () -> engine.read(ANN, PageRequest.first(1)));
        assertThat(first.items()).isEqualTo(all.subList(0, 1));
        assertThat(engine.read(ANN, PageRequest.older(first.older().orElseThrow(), 10))
                        .items())
                .as("the rest of a walk that began without the inbox store")
                .isEqualTo(all.subList(1, 5));
        for (FeedEngine each : List.of(engine, other)) {
            assertThat(feed(each, ANN)).isEqualTo(all);
            assertThat(each.unread(ANN).count()).isEqualTo(5);
        }
        engine.fanout().drain();
        assertThat(feed(other, ANN)).isEqualTo(all);
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled())
                .as("authors that are still pulled when all pushes are done")
                .isEmpty();
    }

    @Test
    @DisplayName("a post that a page showed while another engine was building the inbox stays when the inbox is live")
    void shownWhileBuiltStays() {
        FaultyFeedStore faulty = FaultyFeedStore.around(store);
        FeedEngine builder = open(FeedEngine.builder(faulty)
                .clock(clock())
                .workers(0)
                .reading(reading -> reading.staleness(Duration.ZERO))
                .policy(Policy.PUSH.fanout()));
        FeedEngine engine = engine(Policy.PUSH);
        follow(engine, ANN, BOB);
        publish(engine, posts(BOB, 3));
        List<Post> all = newestFirst(posts(BOB, 4));
        faulty.onCall(call -> call.operation().equals("inbox.merge"), call -> {
            engine.publish(post(BOB, 4));
            assertThat(feed(engine, ANN)).as("while the inbox is being built").isEqualTo(all);
        });
        builder.read(ANN, PageRequest.first(1));
        faulty.heal();
        assertThat(feed(engine, ANN)).isEqualTo(all);
        assertThat(feed(builder, ANN)).isEqualTo(all);
    }

    @Test
    @DisplayName("a post dated between pulled posts of its author is pulled too, and stays when the author leaves the"
            + " register")
    void backDated() {
        List<FanoutMode> modes = new ArrayList<>();
        FeedListener listener = new FeedListener() {
            @Override
            public void published(PostPublished event) {
                modes.add(event.mode());
            }
        };
        FeedEngine engine = open(builder(Policy.PULL)
                .fanout(fanout -> fanout.lease(kit.shortTime()))
                .listener(listener));
        engine.follow(ANN, BOB);
        visit(engine, ANN);
        engine.publishAll(List.of(post(BOB, 10), post(BOB, 30)));
        engine.fanout().drain();
        engine.usePolicy(FanoutPolicy.push());
        engine.publish(post(BOB, 20));
        assertThat(store.outbox().fanout().claim(10, kit.shortTime().toMillis()))
                .as("tasks of the worker that dies")
                .hasSize(1);
        List<Post> three = newestFirst(List.of(post(BOB, 10), post(BOB, 20), post(BOB, 30)));
        assertThat(feed(engine, ANN)).isEqualTo(three);
        engine.publish(post(BOB, 40));
        engine.fanout().drain();
        assertThat(feed(engine, ANN))
                .startsWith(post(BOB, 40))
                .containsAll(three)
                .hasSize(4);
        assertThat(modes).containsExactly(FanoutMode.PULL, FanoutMode.PULL, FanoutMode.PULL, FanoutMode.PUSH);
    }

    /** Engines that have read ann's feed and cache her followees. */
    private List<FeedEngine> remembering() {
        FeedEngine engine = open(builder(Policy.PUSH).reading(reading -> reading.followeeAge(AGE)));
        engine.follow(ANN, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, 3));
        publish(engine, posts(CAT, 3));
        FeedEngine other = open(builder(Policy.PUSH).reading(reading -> reading.followeeAge(AGE)));
        for (FeedEngine each : List.of(engine, other)) {
            assertThat(feed(each, ANN)).isEqualTo(newestFirst(posts(BOB, 3)));
        }
        return List.of(engine, other);
    }

    private WritableFollowGraph graph() {
        return (WritableFollowGraph) store.graph();
    }

    private static void assertShow(List<FeedEngine> engines, List<Post> posts) {
        for (FeedEngine engine : engines) {
            assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts));
        }
    }

    @Test
    @DisplayName(
            "a follow that was not reported to an engine takes effect when the cached followees expire, with old posts"
                    + " and pushes")
    void untoldFollow() {
        List<FeedEngine> engines = remembering();
        graph().add(List.of(new Edge(ANN, CAT)));
        kit.pass(AGE);
        List<Post> both = new ArrayList<>(posts(BOB, 3));
        both.addAll(posts(CAT, 3));
        assertShow(engines, both);
        assertThat(slice(ANN).posts()).isEqualTo(newestFirst(both));
        publish(engines.get(0), post(CAT, 4));
        both.add(post(CAT, 4));
        assertShow(engines, both);
    }

    @Test
    @DisplayName("an unfollow that was not reported to an engine takes effect when the cached followees expire, in the"
            + " inbox, too")
    void untoldUnfollow() {
        List<FeedEngine> engines = remembering();
        graph().remove(List.of(new Edge(ANN, BOB)));
        graph().add(List.of(new Edge(ANN, CAT)));
        kit.pass(AGE);
        assertShow(engines, posts(CAT, 3));
        assertThat(slice(ANN).posts()).isEqualTo(newestFirst(posts(CAT, 3)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"refresh", "rebuild", "reconciliation"})
    @DisplayName("upkeep of an inbox uses the graph, with effect on all engines, before their cached followees expire")
    void untold(String how) {
        Duration day = Duration.ofDays(1);
        FeedEngine engine = open(builder(Policy.PUSH).reading(reading -> reading.followeeAge(Duration.ofDays(9))));
        FeedEngine other = open(builder(Policy.PUSH).reading(reading -> reading.followeeAge(Duration.ofDays(9))));
        engine.followAll(ANN, List.of(BOB, DAN));
        visit(engine, ANN);
        publish(engine, posts(BOB, 3));
        publish(engine, posts(CAT, 3));
        assertShow(List.of(engine, other), posts(BOB, 3));
        graph().remove(List.of(new Edge(ANN, BOB)));
        graph().add(List.of(new Edge(ANN, CAT)));
        switch (how) {
            case "refresh" -> other.refresh(ANN);
            case "rebuild" -> other.rebuild(ANN);
            default -> kit.pass(day.plusMillis(1));
        }
        feed(other, ANN);
        assertShow(List.of(engine, other), posts(CAT, 3));
        assertThat(slice(ANN).posts()).isEqualTo(newestFirst(posts(CAT, 3)));
    }

    @Test
    @DisplayName("a follow through the engine causes no refresh")
    void toldOnce() {
        FeedEngine engine = engine(Policy.PUSH);
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        engine.followAll(ANN, List.of(CAT, DAN));
        engine.unfollow(ANN, BOB);
        long marks = store.calls("inbox.complete");
        feed(engine, ANN);
        assertThat(store.calls("inbox.complete")).isEqualTo((int) marks);
        assertThat(engine.refresh(ANN)).isZero();
    }

    @Test
    @DisplayName("counting unread posts neither builds an inbox nor keeps one live")
    void countingIsNoVisit() {
        FeedEngine engine = open(builder(Policy.PUSH).liveWindow(kit.shortTime()));
        follow(engine, ANN, BOB);
        publish(engine, posts(BOB, 5));
        assertThat(engine.unread(ANN).count()).isEqualTo(5);
        assertThat(slice(ANN).state()).isEqualTo(State.ABSENT);
        feed(engine, ANN);
        assertThat(slice(ANN).state()).isEqualTo(State.LIVE);
        kit.passMostOfShortTime();
        assertThat(engine.unread(ANN).count()).isEqualTo(5);
        kit.passMostOfShortTime();
        assertThat(slice(ANN).state()).isEqualTo(State.ABSENT);
        assertThat(engine.unread(ANN).count()).isEqualTo(5);
        assertThat(slice(ANN).state()).isEqualTo(State.ABSENT);
    }

    @Test
    @DisplayName("a reader without followees leaves nothing in the store")
    void nobodyIsFollowed() {
        FeedEngine engine = engine(Policy.PUSH);
        for (String made : List.of("made", "up", "ids")) {
            FeedPage<Post> page = engine.read(made, PageRequest.first(10));
            assertThat(page.items()).isEmpty();
            engine.read(made, PageRequest.newer(page.newer(), 10));
            assertThat(engine.unread(made).count()).isZero();
            assertThat(engine.refresh(made)).isZero();
            Slice slice = slice(made);
            assertThat(slice.state()).isEqualTo(State.ABSENT);
            assertThat(slice.epoch()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"outbox.settledMark", "outbox.page", "inbox.complete"})
    @DisplayName("a failed reconciliation delays no page, and is repeated soon")
    void failedUpkeep(String call) {
        FeedEngine engine = open(builder(Policy.PUSH).reading(reading -> reading.reconcileInterval(AGE)));
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        publish(engine, posts(BOB, 3));
        long mark = slice(ANN).mark();
        kit.pass(AGE.plusMillis(2));
        store.before(call, () -> {
            throw new OutcomeUnknownException(call, null);
        });
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 3)));
        assertThat(slice(ANN).mark()).isEqualTo(mark);
        kit.pass(AFTER_FAILURE);
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts(BOB, 3)));
        assertThat(slice(ANN).mark()).isGreaterThan(mark);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a follow or an unfollow whose edge was written is never reported as not done")
    void nothingIsDenied(boolean following) {
        FeedEngine engine = engine(Policy.PUSH);
        publish(engine, posts(BOB, 3));
        int calls = 1;
        for (int call = 1; call <= calls; call++) {
            String reader = ANN + call;
            follow(engine, reader, CAT);
            visit(engine, reader);
            if (!following) {
                follow(engine, reader, BOB);
            }
            int before = store.calls(InterleavingStore.ANY);
            store.before(InterleavingStore.ANY, call, () -> {
                throw new StoreUnavailableException("any", null);
            });
            assertThatThrownBy(() -> change(engine, reader, following))
                    .as("call %d fails", call)
                    .isInstanceOf(call <= 2 ? StoreUnavailableException.class : OutcomeUnknownException.class);
            assertThat(engine.isFollowing(reader, BOB))
                    .as("call %d", call)
                    .isEqualTo(call <= 2 ? !following : following);
            before = call == 1 ? store.calls(InterleavingStore.ANY) : before;
            change(engine, reader, following);
            calls = call == 1 ? store.calls(InterleavingStore.ANY) - before : calls;
            assertThat(feed(engine, reader)).isEqualTo(following ? newestFirst(posts(BOB, 3)) : List.of());
        }
        assertThat(calls).isGreaterThan(4);
    }

    private static void change(FeedEngine engine, String reader, boolean following) {
        if (following) {
            engine.follow(reader, BOB);
        } else {
            engine.unfollow(reader, BOB);
        }
    }

    @Test
    @DisplayName("many authors are followed and unfollowed with few calls to the store")
    void many() {
        FeedEngine engine = engine(Policy.PUSH);
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        List<String> authors =
                IntStream.range(0, MANY).mapToObj(i -> "author" + i).toList();
        List<Post> posts = authors.stream().map(author -> post(author, 7)).toList();
        publish(engine, posts);
        int before = store.calls(InterleavingStore.ANY);
        List<String> asked = new ArrayList<>(authors);
        asked.addAll(List.of(ANN, BOB, "author0"));
        List<Boolean> news = engine.followAll(ANN, asked);
        assertThat(store.calls(InterleavingStore.ANY) - before).isLessThan(12);
        assertThat(news.subList(0, MANY)).containsOnly(true);
        assertThat(news.subList(MANY, MANY + 3)).containsExactly(false, false, false);
        assertThat(slice(ANN).posts()).isEqualTo(newestFirst(posts));
        assertThat(slice(ANN).pending()).isEmpty();
        assertThat(engine.unfollowAll(ANN, authors)).containsOnly(true).hasSize(MANY);
        assertThat(slice(ANN).posts()).isEmpty();
        assertThat(engine.followees(ANN, 100).ids()).containsExactly(BOB);
        assertThat(engine.followAll(ANN, Set.of())).isEmpty();
    }

    @Tag("concurrency")
    @Test
    @DisplayName("concurrent follows of different authors do not disturb each other")
    void parallelFollows() {
        FeedEngine engine = engine(Policy.PUSH);
        List<Post> posts = IntStream.range(0, kit.threads())
                .mapToObj(i -> post("author" + i, i + 1))
                .toList();
        publish(engine, posts);
        follow(engine, ANN, BOB);
        visit(engine, ANN);
        int before = store.calls("inbox.beginFollow");
        Race.run(kit.threads(), thread -> engine.follow(ANN, "author" + thread));
        assertThat(store.calls("inbox.beginFollow") - before)
                .as("follows begun, repetitions included")
                .isEqualTo(kit.threads());
        assertThat(slice(ANN).pending()).isEmpty();
        assertThat(slice(ANN).posts()).isEqualTo(newestFirst(posts));
        assertThat(feed(engine, ANN)).isEqualTo(newestFirst(posts));
    }
}
