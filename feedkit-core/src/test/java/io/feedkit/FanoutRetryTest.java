package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.feedkit.event.FeedListener;
import io.feedkit.event.PostDelivered;
import io.feedkit.event.TaskFailed;
import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.DeadLetter;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.fanout.TaskKind;
import io.feedkit.internal.fanout.FanoutRound;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Inbox.Retraction;
import io.feedkit.spi.Inbox.Slice;
import io.feedkit.spi.Inbox.SliceQuery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.Order;
import io.feedkit.spi.PositionRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A fan-out task that fails")
class FanoutRetryTest {

    private static final int MAX_ATTEMPTS = 4;

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final List<TaskFailed> failures = new ArrayList<>();
    private final LogCapture log = LogCapture.of(FanoutRound.class);
    private FeedEngine engine;

    @BeforeEach
    void open() {
        engine = builder().fanout(fanout -> fanout.maxAttempts(MAX_ATTEMPTS)).build();
        engine.follow("ann", "bob");
        engine.read("ann", PageRequest.first(1));
    }

    private FeedEngineBuilder builder() {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .reading(reading -> reading.staleness(Duration.ZERO))
                .listener(new FeedListener() {
                    @Override
                    public void taskFailed(TaskFailed event) {
                        failures.add(event);
                    }
                });
    }

    @AfterEach
    void close() {
        engine.close();
        log.close();
    }

    private List<String> feed() {
        return engine.read("ann", PageRequest.first(100)).items().stream()
                .map(Post::id)
                .toList();
    }

    private Slice inbox(String reader) {
        InboxLimits limits =
                new InboxLimits(FeedEngineBuilder.DEFAULT_CAP, FeedEngineBuilder.DEFAULT_LIVE_WINDOW.toMillis());
        SliceQuery query = new SliceQuery(reader, PositionRange.ALL, Order.NEWEST_FIRST, 100, false);
        return store.inbox(limits).slice(List.of(query)).get(0);
    }

    /** Drains, and says how many deliveries were tried. */
    private int tries() {
        int before = store.calls("Inbox.deliver");
        engine.fanout().drain();
        return store.calls("Inbox.deliver") - before;
    }

    /** Makes each call fail by what is asked of it, as if the store could be reached and choked on it. */
    private void poison(String call) {
        store.before(call, () -> {
            throw new IllegalStateException("poisoned " + call);
        });
    }

    private void failForGood() {
        poison("Inbox.deliver");
        engine.publish("bob", "p1");
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            engine.fanout().drain();
            clock.advance(Duration.ofMinutes(10));
        }
    }

    @Test
    @DisplayName("is tried again after a second, then after two, four, and so on up to five minutes")
    void backOff() {
        engine.close();
        engine = builder().fanout(fanout -> fanout.maxAttempts(20)).build();
        poison("Inbox.deliver");
        engine.publish("bob", "p1");
        assertThat(tries()).isEqualTo(1);
        for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300}) {
            clock.advance(Duration.ofSeconds(seconds).minusMillis(1));
            assertThat(tries()).as("tries before %d s", seconds).isZero();
            clock.advance(Duration.ofMillis(1));
            assertThat(tries()).as("tries after %d s", seconds).isEqualTo(1);
        }
        store.heal();
        clock.advance(Duration.ofMinutes(5));
        assertThat(tries()).isEqualTo(1);
        assertThat(feed()).containsExactly("p1");
        assertThat(engine.fanout().backlog().tasks()).isZero();
        assertThat(failures).hasSize(12).noneMatch(TaskFailed::dead);
        assertThat(failures).extracting(TaskFailed::attempts).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    }

    @Test
    @DisplayName(
            "after a delivery tells the listener of the delivery in any case: a repetition finds the posts present")
    void toldBeforeTheCheck() {
        List<String> delivered = new ArrayList<>();
        engine.close();
        engine = FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .listener(new FeedListener() {
                    @Override
                    public void delivered(PostDelivered event) {
                        delivered.addAll(event.readers());
                    }
                })
                .build();
        store.fail("Outbox.existing");
        engine.publish("bob", "p1");
        engine.fanout().drain();
        store.heal();
        clock.advance(Duration.ofMinutes(10));
        engine.fanout().drain();
        assertThat(engine.fanout().backlog().tasks()).isZero();
        assertThat(delivered).containsExactly("ann");
    }

    @Test
    @DisplayName("becomes a dead letter after so many attempts, with the reason; every failure is told")
    void deadLetter() {
        failForGood();
        assertThat(engine.fanout().backlog().tasks()).isZero();
        assertThat(engine.fanout().backlog().deadLetters()).isEqualTo(1);
        DeadLetter letter = engine.fanout().deadLetters(10).get(0);
        assertThat(letter.kind()).isEqualTo(TaskKind.PUSH);
        assertThat(letter.author()).isEqualTo("bob");
        assertThat(letter.post()).contains(new PostKey("bob", "p1"));
        assertThat(letter.reason()).isEqualTo("java.lang.IllegalStateException: poisoned Inbox.deliver");
        assertThat(letter.died()).isEqualTo(ManualClock.START.plus(Duration.ofMinutes(30)));
        assertThat(failures).extracting(TaskFailed::attempts).containsExactly(1, 2, 3, 4);
        assertThat(failures).extracting(TaskFailed::dead).containsExactly(false, false, false, true);
        assertThat(failures).extracting(TaskFailed::kind).containsOnly(TaskKind.PUSH);
        assertThat(failures).extracting(TaskFailed::author).containsOnly("bob");
        assertThat(failures).extracting(TaskFailed::post).containsOnly(Optional.of(new PostKey("bob", "p1")));
        assertThat(letter.attempts()).isEqualTo(MAX_ATTEMPTS);
    }

    @Test
    @DisplayName("loses nothing as a dead letter, for its author is pulled; replayed, it is delivered")
    void replay() {
        failForGood();
        assertThat(feed()).containsExactly("p1");
        assertThat(inbox("ann").posts()).isEmpty();
        store.heal();
        assertThat(tries()).as("a dead letter is done by itself").isZero();
        String id = engine.fanout().deadLetters(10).get(0).id();
        assertThat(engine.fanout().replay(List.of("unknown", id))).isEqualTo(1);
        assertThat(engine.fanout().replay(List.of(id))).isZero();
        engine.fanout().drain();
        assertThat(inbox("ann").posts()).extracting(Post::id).containsExactly("p1");
        assertThat(feed()).containsExactly("p1");
        assertThat(engine.fanout().backlog().deadLetters()).isZero();
        engine.publish("bob", "p2");
        engine.fanout().drain();
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled()).isEmpty();
        assertThat(feed()).containsExactly("p2", "p1");
    }

    @Test
    @DisplayName("loses nothing as a discarded dead letter: its author is pulled, until a catch-up delivers the post")
    void discard() {
        failForGood();
        store.heal();
        String id = engine.fanout().deadLetters(10).get(0).id();
        assertThat(engine.fanout().discard(List.of("unknown", id))).isEqualTo(1);
        assertThat(engine.fanout().discard(List.of(id))).as("again").isZero();
        assertThat(engine.fanout().replay(List.of(id))).isZero();
        assertThat(engine.fanout().deadLetters(10)).isEmpty();
        assertThat(engine.fanout().backlog()).isEqualTo(Backlog.builder().build());
        assertThat(tries()).as("the fan-out is given up").isZero();
        assertThat(feed()).containsExactly("p1");
        assertThat(inbox("ann").posts()).isEmpty();
        engine.publish("bob", "p2");
        engine.fanout().drain();
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled()).isEmpty();
        assertThat(inbox("ann").posts()).extracting(Post::id).containsExactly("p2", "p1");
        assertThat(feed()).containsExactly("p2", "p1");
    }

    @Test
    @DisplayName("is missing in inboxes as a discarded dead letter until they are compared with the outboxes")
    void compareAfterDiscard() {
        failForGood();
        store.heal();
        discardDeadLetter();
        assertThat(inbox("ann").posts()).isEmpty();
        clock.advance(FeedEngineBuilder.DEFAULT_RECONCILE_INTERVAL);
        assertThat(feed()).containsExactly("p1");
        assertThat(inbox("ann").posts()).extracting(Post::id).containsExactly("p1");
    }

    @Test
    @DisplayName("is not discarded after it was replayed")
    void discardReplayed() {
        failForGood();
        store.heal();
        List<String> ids = List.of(engine.fanout().deadLetters(10).get(0).id());
        engine.fanout().replay(ids);
        assertThat(engine.fanout().discard(ids)).isZero();
        engine.fanout().drain();
        assertThat(engine.fanout().discard(ids)).as("finished").isZero();
        assertThat(inbox("ann").posts()).extracting(Post::id).containsExactly("p1");
    }

    private void discardDeadLetter() {
        String id = engine.fanout().deadLetters(1).get(0).id();
        assertThat(engine.fanout().discard(List.of(id))).isEqualTo(1);
    }

    @Test
    @DisplayName("because the author's earlier posts cannot be read is about no post, and begins again after a discard")
    void discardCatchUp() {
        failForGood();
        store.heal();
        discardDeadLetter();
        poison("Outbox.newest");
        engine.publish("bob", "p2");
        for (int i = 0; i <= MAX_ATTEMPTS; i++) {
            engine.fanout().drain();
            clock.advance(Duration.ofMinutes(10));
        }
        store.heal();
        DeadLetter letter = engine.fanout().deadLetters(1).get(0);
        assertThat(letter.kind()).isEqualTo(TaskKind.CATCH_UP);
        assertThat(letter.author()).isEqualTo("bob");
        assertThat(letter.post()).isEmpty();
        discardDeadLetter();
        assertThat(feed()).containsExactly("p2", "p1");
        engine.publish("bob", "p3");
        engine.fanout().drain();
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled()).isEmpty();
        assertThat(inbox("ann").posts()).extracting(Post::id).containsExactly("p3", "p2", "p1");
    }

    @Test
    @DisplayName("is listed with the other dead letters page by page")
    void pages() {
        poison("Inbox.deliver");
        for (int i = 0; i < 5; i++) {
            engine.publish("bob", "p" + i);
        }
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            engine.fanout().drain();
            clock.advance(Duration.ofMinutes(10));
        }
        List<String> ids = new ArrayList<>();
        List<DeadLetter> page = engine.fanout().deadLetters(2);
        while (!page.isEmpty()) {
            page.forEach(letter -> ids.add(letter.id()));
            page = engine.fanout().deadLetters(ids.get(ids.size() - 1), 2);
        }
        assertThat(ids).hasSize(5).doesNotHaveDuplicates().isSorted();
        assertThat(engine.fanout().replay(ids)).isEqualTo(5);
    }

    @Test
    @DisplayName("alone fails, not the tasks that travel with it")
    void onlyTheGuilty() {
        engine.follow("ann", "cat");
        store.before("FollowGraph.followers", () -> {
            throw new IllegalStateException("together");
        });
        List<String> seen = new ArrayList<>();
        store.before("FollowGraph.followers", () -> {
            seen.add("call");
            if (seen.size() == 1 || seen.size() == 3) {
                throw new IllegalStateException("the batch, and one of its tasks");
            }
        });
        engine.publishAll(List.of(post("cat", "c1"), post("bob", "b1"), post("cat", "c2")));
        engine.fanout().drain();
        assertThat(failures).hasSize(1);
        assertThat(engine.fanout().backlog().tasks()).isEqualTo(1);
        assertThat(feed()).hasSize(2);
        clock.advance(Duration.ofSeconds(1));
        engine.fanout().drain();
        assertThat(feed()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"FanoutLog.retractLater, gone-too", "PulledRegister.retracted, gone-too", "PulledRegister.remove, cat"})
    @DisplayName("at its very end, too, is the only one to fail")
    void onlyTheGuiltyAtTheEnd(String call, String guilty) {
        engine.follow("ann", "cat");
        engine.usePolicy(FanoutPolicy.pull());
        engine.publishAll(List.of(post("bob", "b1"), post("cat", "c1"), post("cat", "gone"), post("cat", "gone-too")));
        engine.fanout().drain();
        engine.usePolicy(FanoutPolicy.push());
        engine.deleteAll(List.of(new PostKey("cat", "gone"), new PostKey("cat", "gone-too")));
        store.before(call, guilty, () -> {
            throw new IllegalStateException("poisoned " + call);
        });
        clock.advance(Duration.ofSeconds(1));
        engine.publishAll(List.of(post("bob", "b2"), post("cat", "last")));
        for (int i = 0; i <= MAX_ATTEMPTS; i++) {
            engine.fanout().drain();
            clock.advance(Duration.ofMinutes(10));
        }
        assertThat(feed()).containsExactlyInAnyOrder("b1", "c1", "b2", "last");
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled()).doesNotContainKey("bob");
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).retracting())
                .doesNotContain(new PostKey("cat", "gone"));
        assertThat(engine.fanout().deadLetters(10))
                .singleElement()
                .satisfies(letter -> assertThat(letter.reason()).endsWith("poisoned " + call));
    }

    @Test
    @DisplayName("by an error of the host's graph is tried again as after any failure, and told of")
    void error() {
        engine.follow("ann", "cat");
        engine.publishAll(List.of(post("cat", "c1"), post("bob", "b1"), post("cat", "c2")));
        store.before("FollowGraph.followers", "bob", () -> {
            throw new StackOverflowError("the graph of bob");
        });
        assertThat(engine.fanout().drain()).as("the others").isEqualTo(2);
        assertThat(failures).singleElement().satisfies(failure -> {
            assertThat(failure.reason()).isEqualTo("java.lang.StackOverflowError: the graph of bob");
            assertThat(failure.attempts()).isEqualTo(1);
        });
        store.heal();
        clock.advance(Duration.ofMinutes(5));
        assertThat(engine.fanout().drain()).isEqualTo(1);
        assertThat(feed()).containsExactlyInAnyOrder("c1", "b1", "c2");
    }

    @Test
    @DisplayName("by an error of the virtual machine leaves those that travel with it to the next round")
    void errorOfVirtualMachine() {
        engine.follow("ann", "cat");
        engine.publishAll(List.of(post("cat", "c1"), post("bob", "b1"), post("cat", "c2")));
        store.before("FollowGraph.followers", "bob", () -> {
            throw new OutOfMemoryError("the graph of bob");
        });
        assertThatThrownBy(() -> engine.fanout().drain()).isInstanceOf(OutOfMemoryError.class);
        assertThat(engine.fanout().drain()).as("the others, at once").isEqualTo(2);
        assertThat(inbox("ann").posts()).extracting(Post::id).containsExactlyInAnyOrder("c1", "c2");
        clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
        assertThat(store.outbox().fanout().claim(10, 1000))
                .singleElement()
                .satisfies(claim -> assertThat(claim.task().attempts()).isEqualTo(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"FanoutLog.finish", "FanoutLog.checkpoint"})
    @DisplayName("in the log itself is given back at once, and does not have to wait for its lease to end")
    void givenBack(String call) {
        engine.close();
        engine = builder().fanout(fanout -> fanout.batchSize(1)).build();
        engine.follow("zoe", "bob");
        store.fail(call);
        int posts = 0;
        Throwable failure;
        do {
            engine.publishAll(List.of(post("bob", "b" + posts++), post("bob", "b" + posts++)));
            failure = catchThrowable(() -> engine.fanout().drain());
            // On a slow machine the quantum of time may end first: then the tasks take turns, without a checkpoint.
        } while (failure == null && posts < 100);
        assertThat(failure).isInstanceOf(StoreUnavailableException.class);
        store.heal();
        assertThat(engine.fanout().drain()).isBetween(1, 2);
        assertThat(inbox("ann").posts()).hasSize(posts);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FollowGraph.counts", "FollowGraph.split", "FanoutLog.split"})
    @DisplayName("to be cut into ranges goes on in one piece, and so do those that travel with it")
    void notCut(String call) {
        engine.close();
        engine = builder()
                .fanout(fanout -> fanout.batchSize(1).splitThreshold(1))
                .build();
        for (String author : List.of("bob", "cat")) {
            engine.follow("ann", author);
            engine.follow("zoe", author);
        }
        engine.read("zoe", PageRequest.first(1));
        engine.publishAll(List.of(post("bob", "b1"), post("cat", "c1")));
        poison(call);
        assertThat(engine.fanout().drain()).isEqualTo(2);
        assertThat(store.calls(call)).isEqualTo(2);
        assertThat(failures).isEmpty();
        assertThat(inbox("ann").posts()).hasSize(2);
        assertThat(inbox("zoe").posts()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PulledRegister.update", "FanoutLog.catchUp"})
    @DisplayName("to begin a catch-up is finished all the same, and so are those that travel with it")
    void noCatchUp(String call) {
        engine.follow("ann", "cat");
        engine.usePolicy(FanoutPolicy.pull());
        engine.publish("bob", "p1");
        engine.fanout().drain();
        engine.usePolicy(FanoutPolicy.push());
        clock.advance(Duration.ofSeconds(1));
        engine.publish("bob", "p2");
        engine.publish("cat", "c1");
        store.fail(call);
        assertThat(engine.fanout().drain()).isEqualTo(2);
        assertThat(engine.fanout().backlog().tasks()).isZero();
        assertThat(inbox("ann").posts()).extracting(Post::id).containsExactlyInAnyOrder("p2", "c1");
        store.heal();
        clock.advance(Duration.ofSeconds(1));
        engine.publish("bob", "p3");
        engine.fanout().drain();
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).pulled()).isEmpty();
        assertThat(inbox("ann").posts()).hasSize(4);
    }

    @Test
    @DisplayName("starts to count anew when it has made progress")
    void progress() {
        engine.close();
        engine = builder().fanout(fanout -> fanout.maxAttempts(2).batchSize(1)).build();
        for (String reader : List.of("r1", "r2", "r3", "r4")) {
            engine.follow(reader, "bob");
            engine.read(reader, PageRequest.first(1));
        }
        engine.publish("bob", "p1");
        int[] calls = {0};
        store.before("Inbox.deliver", () -> {
            if (calls[0]++ % 2 == 0) {
                throw new IllegalStateException("every other time");
            }
        });
        for (int i = 0; i < 12; i++) {
            engine.fanout().drain();
            clock.advance(Duration.ofMinutes(10));
        }
        assertThat(engine.fanout().backlog().deadLetters()).isZero();
        assertThat(inbox("r4").posts()).hasSize(1);
        assertThat(failures).extracting(TaskFailed::attempts).containsOnly(1);
    }

    @Test
    @DisplayName("by killing its workers is given up too, and its author pulled")
    void abandoned() {
        store.before("Inbox.deliver", () -> {
            throw new OutOfMemoryError("a worker's end");
        });
        engine.publish("bob", "p1");
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            assertThatThrownBy(() -> engine.fanout().drain()).isInstanceOf(OutOfMemoryError.class);
            assertThat(engine.fanout().drain())
                    .as("finished while the lease runs")
                    .isZero();
            clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
        }
        engine.fanout().drain();
        assertThat(engine.fanout().deadLetters(10))
                .singleElement()
                .satisfies(letter -> assertThat(letter.reason()).startsWith("abandoned 4 times"));
        assertThat(feed()).containsExactly("p1");
        assertThat(failures).singleElement().satisfies(failure -> {
            assertThat(failure.dead()).isTrue();
            assertThat(failure.attempts()).isEqualTo(MAX_ATTEMPTS);
        });
    }

    @Test
    @DisplayName("by killing its workers, and cannot be given up yet, leaves those alone that travel with it")
    void abandonedForNow() {
        store.before("Inbox.deliver", () -> {
            throw new OutOfMemoryError("a worker's end");
        });
        engine.publish("bob", "p1");
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            assertThatThrownBy(() -> engine.fanout().drain()).isInstanceOf(OutOfMemoryError.class);
            clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
        }
        store.heal();
        store.fail("PulledRegister.put");
        engine.publish("bob", "p2");
        assertThat(engine.fanout().drain()).isEqualTo(1);
        assertThat(inbox("ann").posts()).extracting(Post::id).containsExactly("p2");
        store.heal();
        clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
        engine.fanout().drain();
        assertThat(engine.fanout().backlog().deadLetters()).isEqualTo(1);
        assertThat(feed()).containsExactlyInAnyOrder("p1", "p2");
    }

    @Test
    @DisplayName("to retract a post keeps the post hidden, also when its dead letter is discarded")
    void discardRetraction() {
        failToRetract();
        store.heal();
        assertThat(engine.fanout().deadLetters(1).get(0).post()).contains(new PostKey("bob", "p1"));
        discardDeadLetter();
        assertThat(inbox("ann").posts()).hasSize(1);
        assertThat(feed()).isEmpty();
        clock.advance(FeedEngineBuilder.DEFAULT_RECONCILE_INTERVAL);
        assertThat(feed()).isEmpty();
        assertThat(inbox("ann").posts()).as("compared with the outboxes").isEmpty();
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).retracting()).hasSize(1);
    }

    @Test
    @DisplayName("to retract a post keeps the post hidden, also as a dead letter")
    void deadRetraction() {
        failToRetract();
        assertThat(inbox("ann").posts()).hasSize(1);
        assertThat(feed()).isEmpty();
        store.heal();
        engine.fanout().replay(List.of(engine.fanout().deadLetters(1).get(0).id()));
        engine.fanout().drain();
        clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
        engine.fanout().drain();
        assertThat(inbox("ann").posts()).isEmpty();
        assertThat(RegisterSnapshot.of(store.outbox().pulled()).retracting()).isEmpty();
    }

    private void failToRetract() {
        engine.publish("bob", "p1");
        engine.fanout().drain();
        poison("Inbox.retract");
        engine.delete("bob", "p1");
        for (int i = 0; i <= MAX_ATTEMPTS; i++) {
            engine.fanout().drain();
            clock.advance(Duration.ofMinutes(10));
        }
        assertThat(engine.fanout().backlog().deadLetters()).isEqualTo(1);
    }

    @Test
    @DisplayName("not, but whose deliveries were lost, can be done again within the replay horizon")
    void replayFinished() {
        engine.publish("bob", "p1");
        engine.fanout().drain();
        engine.delete("bob", "p0");
        clock.advance(Duration.ofMinutes(10));
        engine.publish("bob", "p2");
        engine.fanout().drain();
        store.inbox(new InboxLimits(1000, 1000))
                .retract(inbox("ann").posts().stream()
                        .map(post -> new Retraction(post, List.of("ann")))
                        .toList());
        assertThat(feed()).isEmpty();
        assertThat(engine.fanout().replayFinished(Duration.ofMinutes(1))).isEqualTo(1);
        engine.fanout().drain();
        assertThat(feed()).containsExactly("p2");
        assertThat(engine.fanout().replayFinished(Duration.ofHours(1))).isEqualTo(2);
        engine.fanout().drain();
        assertThat(feed()).containsExactly("p2", "p1");
        clock.advance(FeedEngineBuilder.DEFAULT_REPLAY_HORIZON);
        assertThat(engine.fanout().replayFinished(Duration.ofHours(1))).isZero();
    }

    private static Post post(String author, String id) {
        return new Post(author, id, ManualClock.START);
    }
}
