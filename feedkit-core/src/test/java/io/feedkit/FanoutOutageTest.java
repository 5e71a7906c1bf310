package io.feedkit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.event.FeedListener;
import io.feedkit.event.TaskFailed;
import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.fanout.TaskKind;
import io.feedkit.internal.fanout.FanoutRound;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.PulledRegister.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A fan-out task that meets a store which cannot be reached")
@Timeout(300)
class FanoutOutageTest {

    private static final int MAX_ATTEMPTS = 3;

    private final ManualClock clock = new ManualClock();
    private final ProbedStore store = new ProbedStore(InMemoryFeedStore.create(clock));
    private final List<TaskFailed> failures = new ArrayList<>();
    private final LogCapture log = LogCapture.of(FanoutRound.class);
    private FeedEngine engine;

    @BeforeEach
    void open() {
        engine = builder().build();
        for (String reader : List.of("ann", "zoe")) {
            engine.follow(reader, "bob");
            engine.read(reader, PageRequest.first(1));
        }
    }

    private FeedEngineBuilder builder() {
        return builder(MAX_ATTEMPTS);
    }

    private FeedEngineBuilder builder(int maxAttempts) {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .reading(reading -> reading.staleness(Duration.ZERO))
                .fanout(fanout -> fanout.maxAttempts(maxAttempts))
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

    private void reopen(FeedEngineBuilder builder) {
        engine.close();
        engine = builder.build();
    }

    private void failWith(RuntimeException failure) {
        store.before("Inbox.deliver", () -> {
            throw failure;
        });
    }

    private List<String> feed() {
        return engine.read("ann", PageRequest.first(100)).items().stream()
                .map(Post::id)
                .toList();
    }

    /** Drains, and says how many deliveries were tried. */
    private int tries() {
        int before = store.calls("Inbox.deliver");
        engine.fanout().drain();
        return store.calls("Inbox.deliver") - before;
    }

    static Stream<FeedKitException> outages() {
        return Stream.of(
                new StoreUnavailableException("inbox.deliver", null),
                new OutcomeUnknownException("inbox.deliver", null));
    }

    @ParameterizedTest
    @MethodSource("outages")
    @DisplayName(
            "is tried again after a second, two, four and so on up to five minutes, and does not become a dead letter")
    void keepsWaiting(FeedKitException outage) {
        failWith(outage);
        engine.publish("bob", "p1");
        assertThat(tries()).isEqualTo(1);
        for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300}) {
            clock.advance(Duration.ofSeconds(seconds).minusMillis(1));
            assertThat(tries()).as("tries before %d s", seconds).isZero();
            clock.advance(Duration.ofMillis(1));
            assertThat(tries()).as("tries after %d s", seconds).isEqualTo(1);
        }
        assertThat(failures)
                .noneMatch(TaskFailed::dead)
                .allMatch(failure -> failure.reason().equals(outage.toString()));
        assertThat(failures).extracting(TaskFailed::attempts).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
        store.heal();
        clock.advance(Duration.ofMinutes(5));
        assertThat(tries())
                .as("the push, and a catch-up that takes its author off the register")
                .isEqualTo(2);
        assertThat(feed()).containsExactly("p1");
        assertThat(engine.fanout().backlog()).isEqualTo(Backlog.builder().build());
    }

    /** Drains so many times, and gives the tasks that failed time to be due again. */
    private void drain(int times) {
        for (int i = 0; i < times; i++) {
            engine.fanout().drain();
            clock.advance(Duration.ofMinutes(5));
        }
    }

    private Map<String, Entry> pulled() {
        return RegisterSnapshot.of(store.outbox().pulled()).pulled();
    }

    @Test
    @DisplayName(
            "shows its post after so many tries, though it goes on waiting; the next push takes the author off again")
    void pulledMeanwhile() {
        store.fail("Inbox.deliver");
        engine.publish("bob", "p1");
        drain(MAX_ATTEMPTS - 1);
        assertThat(feed()).isEmpty();
        assertThat(pulled()).isEmpty();
        drain(1);
        assertThat(feed()).containsExactly("p1");
        assertThat(pulled()).containsOnlyKeys("bob");
        assertThat(engine.fanout().backlog().tasks()).isEqualTo(1);
        store.heal();
        engine.publish("bob", "p2");
        assertThat(engine.fanout().drain()).as("both, and the catch-up").isEqualTo(3);
        assertThat(pulled()).isEmpty();
        assertThat(feed()).containsExactly("p2", "p1");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50})
    @DisplayName("is pulled after the same time with any number of engines: 8.5 minutes after 10 tries")
    void anyNumberOfEngines(int count) {
        List<FeedEngine> engines = new ArrayList<>();
        for (int n = 0; n < count; n++) {
            engines.add(builder(10).build());
        }
        store.fail("Inbox.deliver");
        engine.publish("bob", "p1");
        int seconds = 0;
        while (pulled().isEmpty()) {
            engines.get(seconds % count).fanout().drain();
            clock.advance(Duration.ofSeconds(1));
            seconds++;
        }
        assertThat(seconds - 1).isEqualTo(1 + 2 + 4 + 8 + 16 + 32 + 64 + 128 + 256);
        assertThat(failures).extracting(TaskFailed::attempts).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        engines.forEach(FeedEngine::close);
    }

    @Test
    @DisplayName("shows its post later if the register cannot be reached, either")
    void notPulledYet() {
        store.fail("Inbox.deliver");
        store.fail("PulledRegister.put");
        engine.publish("bob", "p1");
        drain(2 * MAX_ATTEMPTS - 1);
        assertThat(failures).hasSize(2 * MAX_ATTEMPTS - 1);
        assertThat(pulled()).isEmpty();
        store.heal();
        store.fail("Inbox.deliver");
        drain(1);
        assertThat(feed()).containsExactly("p1");
    }

    @Test
    @DisplayName("changes nothing in the register if it is a catch-up or a retraction")
    void othersAreNotPulled() {
        engine.publish("bob", "p0");
        engine.fanout().drain();
        engine.usePolicy(FanoutPolicy.pull());
        engine.publish("bob", "p1");
        engine.fanout().drain();
        engine.usePolicy(FanoutPolicy.push());
        clock.advance(Duration.ofSeconds(1));
        engine.publish("bob", "p2");
        Map<String, Entry> before = pulled();
        store.before("FanoutLog.catchUp", () -> store.fail("Inbox.deliver"));
        store.fail("Inbox.retract");
        engine.delete("bob", "p0");
        drain(2 * MAX_ATTEMPTS + 1);
        assertThat(failures).extracting(TaskFailed::kind).contains(TaskKind.CATCH_UP, TaskKind.RETRACT_LATER);
        assertThat(pulled()).isEqualTo(before).containsOnlyKeys("bob");
    }

    @Test
    @DisplayName("becomes a dead letter after a day without a success, and ages the backlog no longer")
    void diesAfterADay() {
        engine.publish("bob", "p0");
        store.fail("Inbox.deliver");
        int day = (int) Duration.ofDays(1).dividedBy(Duration.ofMinutes(5));
        drain(day);
        assertThat(engine.fanout().backlog())
                .isEqualTo(Backlog.builder()
                        .due(1)
                        .age(Duration.ofDays(1))
                        .byKind(Map.of(TaskKind.PUSH, 1L))
                        .build());
        drain(1);
        assertThat(engine.fanout().backlog())
                .isEqualTo(Backlog.builder().deadLetters(1).build());
        assertThat(failures).hasSize(day + 1).last().satisfies(failure -> {
            assertThat(failure.dead()).isTrue();
            assertThat(failure.attempts()).isEqualTo(day + 1);
        });
        assertThat(feed()).containsExactly("p0");
        engine.fanout().replay(List.of(engine.fanout().deadLetters(1).get(0).id()));
        drain(2);
        assertThat(engine.fanout().backlog())
                .as("replayed, it has a day again, while its author is pulled")
                .isEqualTo(Backlog.builder()
                        .due(1)
                        .byKind(Map.of(TaskKind.PUSH, 1L))
                        .build());
    }

    @Test
    @DisplayName("for a day, and cannot be given up, goes on waiting")
    void cannotDieYet() {
        store.fail("Inbox.deliver");
        store.fail("FanoutLog.moveToDeadLetters");
        engine.publish("bob", "p1");
        int day = (int) Duration.ofDays(1).dividedBy(Duration.ofMinutes(5));
        drain(day + 2);
        assertThat(failures).hasSize(day + 2).noneMatch(TaskFailed::dead);
        store.heal();
        assertThat(engine.fanout().drain())
                .as("the push, and a catch-up that takes its author off the register")
                .isEqualTo(2);
    }

    @Test
    @DisplayName("is tried again after a second when it met the store in between")
    void delayBeginsAnew() {
        reopen(builder().fanout(fanout -> fanout.batchSize(1)));
        engine.publish("bob", "p1");
        int[] calls = {0};
        store.before("Inbox.deliver", () -> {
            if (++calls[0] != 3) {
                throw new StoreUnavailableException("inbox.deliver", null);
            }
        });
        for (int seconds : new int[] {0, 1, 2}) {
            clock.advance(Duration.ofSeconds(seconds));
            engine.fanout().drain();
        }
        assertThat(failures).extracting(TaskFailed::attempts).containsExactly(1, 2, 1);
        clock.advance(Duration.ofSeconds(1));
        assertThat(tries()).isEqualTo(1);
    }

    @Test
    @DisplayName("goes on where it was")
    void keepsItsCursor() {
        reopen(builder().fanout(fanout -> fanout.batchSize(1)));
        engine.publish("bob", "p1");
        int[] calls = {0};
        store.before("Inbox.deliver", () -> {
            if (++calls[0] == 2) {
                throw new StoreUnavailableException("inbox.deliver", null);
            }
        });
        assertThat(tries()).isEqualTo(2);
        clock.advance(Duration.ofSeconds(1));
        assertThat(tries()).as("the second follower only").isEqualTo(1);
        assertThat(feed()).containsExactly("p1");
        assertThat(engine.fanout().backlog().tasks()).isZero();
    }

    @Test
    @DisplayName("is another than one that fails in a way that makes no sense to repeat, which becomes a dead letter")
    void notRetryable() {
        failWith(new EngineClosedException("another"));
        engine.publish("bob", "p1");
        drain(MAX_ATTEMPTS);
        assertThat(engine.fanout().backlog())
                .isEqualTo(Backlog.builder().deadLetters(1).build());
    }

    @Test
    @DisplayName("and fails by itself otherwise, becomes a dead letter all the same, counted anew after the outage")
    void poisonStillDies() {
        engine.publish("bob", "p1");
        List<RuntimeException> causes = new ArrayList<>();
        for (int i = 1; i < MAX_ATTEMPTS; i++) {
            causes.add(new IllegalStateException("poison"));
        }
        causes.add(new StoreUnavailableException("inbox.deliver", null));
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            causes.add(new IllegalStateException("poison"));
        }
        for (RuntimeException cause : causes) {
            failWith(cause);
            assertThat(engine.fanout().backlog().deadLetters()).isZero();
            engine.fanout().drain();
            clock.advance(Duration.ofMinutes(10));
        }
        assertThat(engine.fanout().backlog().deadLetters()).isEqualTo(1);
        assertThat(failures).extracting(TaskFailed::attempts).containsExactly(1, 2, 1, 1, 2, 3);
        assertThat(feed()).containsExactly("p1");
    }

    @Test
    @DisplayName("is left alone by a drain, which ends even without a delay between tries")
    void drainEnds() {
        reopen(builder().fanout(fanout -> fanout.retryDelay(Duration.ZERO)));
        store.before("Inbox.deliver", () -> {
            assertThat(store.calls("Inbox.deliver")).isLessThan(100);
            throw new StoreUnavailableException("inbox.deliver", null);
        });
        engine.publish("bob", "p1");
        assertThat(tries()).isEqualTo(1);
        for (int millis : new int[] {1, 2, 4}) {
            clock.advance(Duration.ofMillis(millis));
            assertThat(tries()).as("tries after %d ms", millis).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("that is slow to say so three times sends the tasks behind back untried, before all leases are over")
    void slowOutage() {
        List<String> calls = new ArrayList<>();
        store.before("FanoutLog.claim", () -> calls.add("claim"));
        store.before("Inbox.deliver", () -> {
            calls.add("deliver");
            slowly();
            throw new StoreUnavailableException("inbox.deliver", null);
        });
        List.of("p1", "p2", "p3", "p4", "p5").forEach(id -> engine.publish("bob", id));
        engine.fanout().drain();
        assertThat(calls)
                .as("together and three alone, the two left together and alone")
                .containsExactly(
                        "claim", "deliver", "deliver", "deliver", "deliver", "claim", "deliver", "deliver", "deliver",
                        "claim");
        assertThat(failures).extracting(TaskFailed::attempts).containsExactly(1, 1, 1, 1, 1);
    }

    /**
     * A post each by authors with a follower each, of whom a part of the inbox store that is slow to fail holds but
     * one.
     */
    private List<String> publishToOneInboxThatIsDown() {
        List<String> calls = new ArrayList<>();
        store.before("FanoutLog.claim", () -> calls.add("claim"));
        store.before("Inbox.deliver", "lost", () -> {
            calls.add("lost");
            slowly();
            throw new StoreUnavailableException("inbox.deliver", null);
        });
        store.after("Inbox.deliver", () -> calls.add("delivered"));
        for (String author : List.of("a1", "lost-author", "a2", "a3")) {
            engine.follow(author.equals("lost-author") ? "lost" : "ann", author);
            engine.publish(author, "p1");
        }
        return calls;
    }

    @Test
    @DisplayName("that is only partly down spares those who do not meet it, though they came together")
    void partlyDown() {
        List<String> calls = publishToOneInboxThatIsDown();
        assertThat(engine.fanout().drain()).isEqualTo(3);
        assertThat(calls).containsExactly("claim", "lost", "delivered", "lost", "delivered", "delivered", "claim");
        assertThat(failures).extracting(TaskFailed::author).containsExactly("lost-author");
    }

    @Test
    @DisplayName("travels by itself from then on, behind those that did not meet it")
    void travelsAlone() {
        List<String> calls = publishToOneInboxThatIsDown();
        engine.fanout().drain();
        calls.clear();
        clock.advance(Duration.ofSeconds(1));
        engine.publish("a1", "p2");
        engine.publish("a2", "p2");
        assertThat(engine.fanout().drain()).isEqualTo(2);
        assertThat(calls).containsExactly("claim", "delivered", "lost", "claim");
        store.heal();
        clock.advance(Duration.ofSeconds(2));
        assertThat(engine.fanout().drain()).isEqualTo(1);
    }

    @Test
    @DisplayName("for most of its lease with every call is not taken for a task that kills its workers")
    void leaseOutlastsOneCall() {
        store.before("Inbox.deliver", () -> {
            assertThat(store.calls("Inbox.deliver")).isLessThan(100);
            slowly();
            clock.advance(FeedEngineBuilder.DEFAULT_LEASE.multipliedBy(2).dividedBy(3));
            throw new StoreUnavailableException("inbox.deliver", null);
        });
        List.of("p1", "p2", "p3").forEach(id -> engine.publish("bob", id));
        for (int i = 0; i <= MAX_ATTEMPTS; i++) {
            engine.fanout().drain();
            clock.advance(Duration.ofMinutes(10));
        }
        assertThat(engine.fanout().backlog().deadLetters()).isZero();
        assertThat(store.outbox().fanout().claim(10, 1000))
                .extracting(claim -> claim.task().attempts())
                .containsExactly(0, 0, 0);
    }

    /** A store that is so slow that one batch takes more than a worker's quantum of time. */
    private static void slowly() {
        long end = System.nanoTime() + MILLISECONDS.toNanos(30);
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    @DisplayName("is tried again at once when another has reached the store, however long it would have to wait")
    void firstSuccessWakes() {
        store.fail("Inbox.deliver");
        engine.publishAll(List.of(post("p1"), post("p2"), post("p3")));
        for (int seconds = 0; seconds < 20; seconds++) {
            engine.fanout().drain();
            clock.advance(Duration.ofSeconds(1));
        }
        store.heal();
        assertThat(tries()).as("tries by themselves").isZero();
        engine.publish("bob", "p4");
        engine.fanout().drain();
        assertThat(engine.fanout().backlog().tasks()).isZero();
        assertThat(feed()).containsExactlyInAnyOrder("p1", "p2", "p3", "p4");
    }

    @Test
    @DisplayName("is tried again no more often than before where others reach the store all the time")
    void othersSucceed() {
        store.before("Inbox.deliver", "cat", () -> {
            throw new StoreUnavailableException("inbox.deliver", null);
        });
        engine.follow("zoe", "cat");
        engine.publish("cat", "c");
        int tries = 0;
        for (int n = 0; n < 300; n++) {
            engine.publish("bob", "p" + n);
            tries += tries();
            clock.advance(Duration.ofSeconds(1));
        }
        // Of each bob has one, and one more together with the one that fails.
        assertThat(tries).isBetween(300, 300 + 2 * 20);
        store.heal();
        engine.publish("bob", "last");
        engine.fanout().drain();
        clock.advance(Duration.ofMinutes(5));
        engine.fanout().drain();
        assertThat(engine.fanout().backlog().tasks()).isZero();
    }

    private static Post post(String id) {
        return new Post("bob", id, ManualClock.START);
    }
}
