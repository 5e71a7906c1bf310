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
import io.feedkit.spi.PulledRegister.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("concurrency")
@DisplayName("A page or an unread count asks what is registered before it looks at the inbox")
class RegisterBeforeInboxTest {

    private static final Duration STALENESS = Duration.ofMillis(500);
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
                .reading(reading -> reading.staleness(STALENESS))
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
        for (String call : List.of("PulledRegister.update", "Outbox.newest", "Inbox.slice")) {
            store.before(call, () -> calls.add(call));
        }
    }

    @AfterEach
    void close() {
        engine.close();
        elsewhere.close();
    }

    private List<String> page() {
        return ids(engine, "ann");
    }

    @Test
    @DisplayName("and for no posts that it has for the present versions of their authors' entries")
    void once() {
        assertThat(page()).containsExactly("p1");
        assertThat(calls).as("at the same time").containsExactly("Inbox.slice", "PulledRegister.update");
        calls.clear();
        assertThat(page()).containsExactly("p1");
        assertThat(calls).containsExactly("Inbox.slice");
    }

    @Test
    @DisplayName("and asks for the posts of an author whose entry has changed")
    void entered() {
        elsewhere.publish("cid", "p2");
        assertThat(page()).containsExactly("p2", "p1");
        assertThat(calls)
                .as("two and two at the same time, because the register has changed")
                .containsExactly("Inbox.slice", "PulledRegister.update", "Inbox.slice", "Outbox.newest");
    }

    @Test
    @DisplayName("and shows what came into the register and left it again while both were read")
    void cameAndLeft() {
        AtomicInteger looks = new AtomicInteger();
        store.after("Inbox.slice", () -> {
            if (looks.incrementAndGet() == 1) {
                elsewhere.publish("cid", "p2");
                push("cid", "ann");
                leaveIfIn("cid");
            }
        });
        assertThat(page()).containsExactly("p2", "p1");
        assertThat(looks).hasValueGreaterThan(1);
    }

    @Test
    @DisplayName("and shows a reader whose followees it does not know yet what left before it knew the author")
    void leftBeforeKnown() {
        // Too many entries to be known as a whole.
        memory.outbox()
                .pulled()
                .put(IntStream.range(0, 10_001)
                        .mapToObj(i -> new Post("other-" + i, "p", clock.instant()))
                        .toList());
        FeedEngine fresh = engine();
        for (String reader : List.of("zoe", "yan")) {
            elsewhere.follow(reader, "dan");
            assertThat(ids(elsewhere, reader)).isEmpty();
        }
        elsewhere.publish("dan", "d1");
        AtomicInteger looks = new AtomicInteger();
        store.after("Inbox.slice", () -> {
            if (looks.incrementAndGet() == 1) {
                push("dan", "zoe");
                push("dan", "yan");
                leaveIfIn("dan");
                assertThat(ids(fresh, "yan")).containsExactly("d1");
            }
        });
        assertThat(ids(fresh, "zoe")).containsExactly("d1");
        fresh.close();
    }

    @Test
    @DisplayName("shows a reader whose followees it does not know yet what left the register meanwhile")
    void leftOfUnknownReader() {
        elsewhere.follow("zoe", "bob");
        assertThat(ids(elsewhere, "zoe")).containsExactly("p1");
        elsewhere.publish("bob", "p2");
        clock.advance(STALENESS);
        assertThat(page()).containsExactly("p2", "p1");
        AtomicInteger looks = new AtomicInteger();
        store.after("Inbox.slice", () -> {
            if (looks.incrementAndGet() == 1) {
                pushAndLeave("zoe");
                pushAndLeave("ann");
                clock.advance(STALENESS);
                assertThat(page()).containsExactly("p2", "p1");
            }
        });
        assertThat(ids(engine, "zoe")).containsExactly("p2", "p1");
        assertThat(looks).hasValueGreaterThan(2);
    }

    @Test
    @DisplayName("shows a reader whose followees it does not know yet what left the register meanwhile, although its "
            + "author came back with another post")
    void leftAndReturned() {
        elsewhere.follow("zoe", "bob");
        assertThat(ids(elsewhere, "zoe")).containsExactly("p1");
        elsewhere.publish("bob", "p2");
        clock.advance(STALENESS);
        assertThat(page()).containsExactly("p2", "p1");
        AtomicInteger looks = new AtomicInteger();
        store.after("Inbox.slice", () -> {
            if (looks.incrementAndGet() == 1) {
                pushAndLeave("zoe");
                clock.advance(STALENESS);
                elsewhere.publish("bob", "p3");
                assertThat(page()).startsWith("p3");
            }
        });
        assertThat(ids(engine, "zoe")).containsExactly("p3", "p2", "p1");
        assertThat(looks).hasValueGreaterThan(2);
    }

    private static List<String> ids(FeedEngine on, String reader) {
        return on.read(reader, PageRequest.first(10)).items().stream()
                .map(Post::id)
                .toList();
    }

    /** Pushes bob's posts to a reader, and lets bob leave the register if he is in it, as a catch-up does. */
    private void pushAndLeave(String reader) {
        push("bob", reader);
        leaveIfIn("bob");
    }

    private void push(String author, String reader) {
        memory.outbox()
                .newest(List.of(author), PositionRange.ALL, 10)
                .get(0)
                .forEach(post -> memory.inbox(LIMITS).deliver(List.of(new Delivery(post, List.of(reader), 0))));
    }

    private void leaveIfIn(String author) {
        PulledRegister register = memory.outbox().pulled();
        Entry entry = RegisterSnapshot.of(register).pulled().get(author);
        if (entry != null) {
            assertThat(register.remove(author, entry.version())).isTrue();
        }
    }

    @Test
    @DisplayName("shows a post that left the register, and came into the inbox, between the looks at either")
    void left() {
        store.after("Inbox.slice", () -> {
            store.heal();
            pushAndLeave("ann");
        });
        assertThat(page()).containsExactly("p1");
        assertThat(RegisterSnapshot.of(memory.outbox().pulled()).pulled()).isEmpty();
    }

    /** Lets bob leave the register after the next call, and lets the engine know. */
    private void leaveAfter(String call, String reader) {
        store.after(call, () -> {
            store.heal();
            pushAndLeave(reader);
            clock.advance(STALENESS);
            assertThat(ids(engine, "dan")).isEmpty();
        });
    }

    @Test
    @DisplayName("counts a post that left the register, and came into the inbox, after the inbox was counted")
    void leftAfterCount() {
        leaveAfter("Inbox.count", "ann");
        assertThat(engine.unread("ann").count()).isOne();
        assertThat(RegisterSnapshot.of(memory.outbox().pulled()).pulled()).isEmpty();
    }

    @Test
    @DisplayName("counts such a post of a reader whose followees it does not know yet")
    void leftAfterCountOfUnknownReader() {
        elsewhere.follow("zoe", "bob");
        elsewhere.markSeen("zoe", elsewhere.read("zoe", PageRequest.first(10)).newer());
        elsewhere.publish("bob", "p2");
        leaveAfter("Inbox.count", "zoe");
        assertThat(engine.unread("zoe").count()).isOne();
    }

    @Test
    @DisplayName("counts a post once, although the followees change, and an author leaves, at every look")
    void followsAtEveryCount() {
        elsewhere.follow("zoe", "bob");
        elsewhere.markSeen("zoe", elsewhere.read("zoe", PageRequest.first(10)).newer());
        Post pushed = elsewhere.publish("bob", "p2").post();
        memory.inbox(LIMITS).deliver(List.of(new Delivery(pushed, List.of("zoe"), 0)));
        leave("bob");
        AtomicInteger looks = new AtomicInteger();
        store.after("Inbox.count", () -> {
            int look = looks.incrementAndGet();
            elsewhere.follow("zoe", "author-" + look);
            elsewhere.publish("cid", "q" + look);
            clock.advance(STALENESS);
            assertThat(ids(engine, "dan")).isEmpty();
            leave("cid");
        });
        assertThat(engine.unread("zoe").count()).isOne();
        assertThat(looks).hasValueGreaterThan(1);
    }

    private void leave(String author) {
        Entry entry = RegisterSnapshot.of(memory.outbox().pulled()).pulled().get(author);
        assertThat(memory.outbox().pulled().remove(author, entry.version())).isTrue();
        clock.advance(STALENESS);
        assertThat(ids(engine, "dan")).isEmpty();
    }

    @Test
    @DisplayName("counts a post that left the register, and came into the inbox, after the inbox's entries were taken")
    void leftAfterLook() {
        Post pushed = elsewhere.publish("cid", "p2").post();
        memory.inbox(LIMITS).deliver(List.of(new Delivery(pushed, List.of("ann"), 0)));
        Entry entry = RegisterSnapshot.of(memory.outbox().pulled()).pulled().get("cid");
        assertThat(memory.outbox().pulled().remove("cid", entry.version())).isTrue();
        leaveAfter("Inbox.slice", "ann");
        assertThat(engine.unread("ann").count()).isEqualTo(2);
        assertThat(RegisterSnapshot.of(memory.outbox().pulled()).pulled()).isEmpty();
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
        Future<FeedPage<Post>> another = inBackground(() -> engine.read("zoe", PageRequest.first(10)));
        assertThat(another.get(30, SECONDS).items()).isEmpty();
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
