package io.feedkit;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.Inbox.Delivery;
import io.feedkit.spi.InboxLimits;
import io.feedkit.spi.PositionRange;
import io.feedkit.spi.PulledRegister;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("concurrency")
@DisplayName("A page of a store that answers later")
class AskedTogetherTest {

    private static final Duration STALENESS = Duration.ofSeconds(1);
    private static final InboxLimits LIMITS = new InboxLimits(1000, 3_600_000);

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private final FeedEngine elsewhere = engine();
    private final FeedEngine engine = engine();
    private final List<String> calls = new ArrayList<>();

    private FeedEngine engine() {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .policy(FanoutPolicy.pull())
                .staleness(STALENESS)
                .build();
    }

    @BeforeEach
    void knowBob() {
        engine.follow("ann", "bob");
        engine.follow("ann", "cid");
        assertThat(page()).isEmpty();
        elsewhere.publish("bob", "p1");
        clock.advance(STALENESS);
        assertThat(page()).containsExactly("p1");
        clock.advance(STALENESS);
        store.answerLater();
        for (String call : List.of(
                "PulledRegister.versionLater",
                "PulledRegister.version",
                "PulledRegister.snapshot",
                "Outbox.newestLater",
                "Outbox.newest",
                "Inbox.slice")) {
            store.before(call, () -> calls.add(call));
        }
    }

    @AfterEach
    void close() {
        engine.close();
        elsewhere.close();
    }

    private List<String> page() {
        return engine.read("ann", PageRequest.first(10)).posts().stream()
                .map(Post::id)
                .toList();
    }

    @Test
    @DisplayName(
            "asks for the register's version and the heads that it wanted last time before it looks at the inbox, and waits for them afterwards")
    void together() {
        assertThat(page()).containsExactly("p1");
        assertThat(calls)
                .containsExactly(
                        "PulledRegister.versionLater",
                        "Outbox.newestLater",
                        "Inbox.slice",
                        "PulledRegister.version",
                        "Outbox.newest");
    }

    @Test
    @DisplayName("does not ask for heads that no page has wanted for a minute, before it knows that it wants them")
    void forgotten() {
        clock.advance(Duration.ofMinutes(1));
        assertThat(page()).containsExactly("p1");
        assertThat(calls)
                .containsExactly(
                        "PulledRegister.versionLater",
                        "Inbox.slice",
                        "PulledRegister.version",
                        "Outbox.newestLater",
                        "Outbox.newest");
    }

    @Test
    @DisplayName(
            "looks at the inbox again if the register has changed, shows what has entered it, and asks for no version and no head twice")
    void entered() {
        store.before("Outbox.newestLater", "bob", () -> calls.add("heads with bob's"));
        elsewhere.publish("cid", "p2");
        assertThat(page()).containsExactly("p2", "p1");
        assertThat(calls)
                .containsSubsequence("heads with bob's", "Inbox.slice", "PulledRegister.snapshot", "Inbox.slice")
                .containsOnlyOnce("PulledRegister.version")
                .containsOnlyOnce("heads with bob's");
    }

    @Test
    @DisplayName(
            "asks for heads that only the changed register says it wants together with its second look at the inbox")
    void rose() {
        Instant before = ManualClock.START.minusSeconds(1);
        for (int i = 0; i < 30; i++) {
            engine.follow("ann", "author" + i);
            elsewhere.publish(new Post("author" + i, "old" + i, before.minusSeconds(i)));
        }
        assertThat(engine.read("ann", PageRequest.first(100)).posts()).hasSize(31);
        clock.advance(STALENESS);
        assertThat(page()).hasSize(10);
        clock.advance(STALENESS);
        elsewhere.publish("author29", "p3");
        calls.clear();
        assertThat(page()).startsWith("p3", "p1");
        assertThat(calls)
                .containsSubsequence(
                        "Outbox.newestLater",
                        "Inbox.slice",
                        "PulledRegister.snapshot",
                        "Outbox.newestLater",
                        "Inbox.slice");
        assertThat(calls).filteredOn("Outbox.newestLater"::equals).hasSize(2);
    }

    @Test
    @DisplayName("shows a post that left the register, and came into the inbox, between the looks at either")
    void left() {
        PulledRegister register = memory.outbox().pulled();
        long version = register.snapshot().pulled().get("bob").version();
        Post post = memory.outbox()
                .newest(List.of("bob"), PositionRange.ALL, 1)
                .get(0)
                .get(0);
        store.after("Inbox.slice", () -> {
            memory.inbox(LIMITS).deliver(List.of(new Delivery(post, List.of("ann"), 0)));
            register.remove("bob", version);
        });
        assertThat(page()).containsExactly("p1");
        assertThat(register.snapshot().pulled()).isEmpty();
    }

    @Test
    @DisplayName("keeps nobody waiting while its inbox does not answer")
    void slowInbox() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        store.before("Inbox.slice", "ann", () -> {
            asked.countDown();
            assertThat(catchThrowable(answer::await)).isNull();
        });
        Future<List<String>> slow = inBackground(this::page);
        assertThat(asked.await(30, SECONDS)).isTrue();
        Future<FeedPage> another = inBackground(() -> engine.read("zoe", PageRequest.first(10)));
        assertThat(another.get(30, SECONDS).posts()).isEmpty();
        assertThat(slow.isDone()).isFalse();
        answer.countDown();
        assertThat(slow.get(30, SECONDS)).containsExactly("p1");
    }

    private static <T> Future<T> inBackground(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        new Thread(task).start();
        return task;
    }
}
