package io.feedkit;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.FeedPage.Caveat;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.memory.InMemoryTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("While the source of truth is down")
class StaleReadsTest {

    private static final Duration STALE = Duration.ofMinutes(10);
    private static final int CAP = 10;

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private final FeedEngine engine = engine(STALE);
    private final List<String> all = new ArrayList<>();

    private FeedEngine engine(Duration staleIfError) {
        return FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .cap(CAP)
                .policy(FanoutPolicy.hybrid(2))
                .reading(reading -> reading.staleIfError(staleIfError))
                .build();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    /** Ann follows an author who is pushed and one who is pulled, and has read a page. */
    private void fill() {
        List.of("ann", "zoe", "yve").forEach(reader -> engine.follow(reader, "star"));
        engine.follow("ann", "bob");
        for (int n = 0; n < 2 * CAP; n++) {
            clock.advance(Duration.ofMillis(1));
            engine.publish(n % 2 == 0 ? "bob" : "star", "p" + n);
            all.add(0, "p" + n);
        }
        engine.fanout().drain();
        assertThat(ids(page())).isEqualTo(all.subList(0, 6));
    }

    private void down() {
        clock.advance(Duration.ofSeconds(2));
        for (String call : List.of(
                "PulledRegister.update", "Outbox.page", "Outbox.newest", "Outbox.existing", "FollowGraph.followees")) {
            store.fail(call);
        }
    }

    private FeedPage<Post> page() {
        return engine.read("ann", PageRequest.first(6));
    }

    private static List<String> ids(FeedPage<Post> page) {
        return page.items().stream().map(Post::id).toList();
    }

    @Test
    @DisplayName("reads fail, typed, unless the host allows stale pages")
    void offByDefault() {
        fill();
        try (FeedEngine strict = engine(Duration.ZERO)) {
            assertThat(strict.read("ann", PageRequest.first(6)).caveats()).isEmpty();
            down();
            assertThatThrownBy(() -> strict.read("ann", PageRequest.first(6)))
                    .isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    @DisplayName("pages come from the inbox and from what is remembered, with content or without, and say so")
    void stale() {
        fill();
        assertThat(page().caveats()).isEmpty();
        down();
        FeedPage<Post> page = page();
        assertThat(ids(page)).isEqualTo(all.subList(0, 6));
        assertThat(page.caveats()).containsExactly(Caveat.STALE);
        FeedPage<String> content = engine.read(
                "ann", PageRequest.first(6), posts -> posts.stream().collect(toMap(post -> post, Post::id)));
        assertThat(content.items()).isEqualTo(all.subList(0, 6));
        assertThat(content.caveats()).containsExactly(Caveat.STALE);
        FeedPage<Post> newer = engine.read("ann", PageRequest.newer(page.newer(), 6));
        assertThat(newer.items()).isEmpty();
        assertThat(newer.caveats()).containsExactly(Caveat.STALE);
    }

    @Test
    @DisplayName("a walk ends where the inbox does, and goes on there when the source is back")
    void cutOff() {
        fill();
        down();
        List<String> walked = new ArrayList<>(ids(page()));
        FeedPage<Post> page =
                engine.read("ann", PageRequest.older(page().older().orElseThrow(), 2 * CAP));
        assertThat(page.items()).isNotEmpty();
        walked.addAll(ids(page));
        assertThat(walked).isEqualTo(all.subList(0, walked.size())).hasSizeLessThan(all.size());
        Cursor further = page.older().orElseThrow();
        assertThatThrownBy(() -> engine.read("ann", PageRequest.older(further, 2 * CAP)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("source of truth");
        store.heal();
        clock.advance(Duration.ofSeconds(2));
        page = engine.read("ann", PageRequest.older(further, 2 * CAP));
        walked.addAll(ids(page));
        assertThat(walked).isEqualTo(all);
        assertThat(page.caveats()).isEmpty();
        assertThat(page.older()).isEqualTo(Optional.empty());
    }

    @Test
    @DisplayName("what is remembered of the register serves for as long as the host allows")
    void tooOld() {
        fill();
        down();
        clock.advance(STALE.minusSeconds(3));
        assertThat(page().caveats()).containsExactly(Caveat.STALE);
        clock.advance(Duration.ofSeconds(1));
        assertThatThrownBy(this::page).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    @DisplayName("a reader of whom nothing is remembered gets no page")
    void unknownReader() {
        fill();
        assertThat(engine.read("zoe", PageRequest.first(6)).items()).isNotEmpty();
        try (FeedEngine other = engine(STALE)) {
            assertThat(other.read("zoe", PageRequest.first(6)).items()).isNotEmpty();
            down();
            assertThat(other.read("zoe", PageRequest.first(6)).caveats()).containsExactly(Caveat.STALE);
            assertThatThrownBy(() -> other.read("ann", PageRequest.first(6)))
                    .isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    @DisplayName("a reader whose follows were changed on another engine gets no page")
    void changedElsewhere() {
        fill();
        try (FeedEngine other = engine(STALE)) {
            other.unfollow("ann", "bob");
        }
        down();
        assertThatThrownBy(this::page).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    @DisplayName("a delete and an unfollow by this engine before hold")
    void ownChangesHold() {
        fill();
        engine.delete("star", "p19");
        engine.unfollow("ann", "bob");
        assertThat(ids(page())).startsWith("p17", "p15");
        down();
        assertThat(ids(page())).startsWith("p17", "p15").doesNotContain("p18");
    }

    @Test
    @DisplayName("a post that was deleted long before does not come back with what is remembered of its author")
    void deletedLongBefore() {
        fill();
        // The posts are loaded once more, as of what the register says.
        clock.advance(Duration.ofSeconds(2));
        page();
        engine.delete("star", "p19");
        engine.fanout().drain();
        clock.advance(FeedEngineBuilder.DEFAULT_LEASE.plusSeconds(1));
        engine.fanout().drain();
        // Others keep the register fresh, but nobody reads a feed with posts of the star.
        engine.follow("sue", "bob");
        engine.read("sue", PageRequest.first(1));
        clock.advance(FeedEngineBuilder.DEFAULT_LEASE);
        engine.read("sue", PageRequest.first(1));
        down();
        assertThat(ids(page())).doesNotContain("p19");
    }

    @Test
    @DisplayName("pages go on if the follow graph alone is down, or if the register was asked just before")
    void partsDown() {
        fill();
        clock.advance(Duration.ofSeconds(2));
        page();
        store.fail("FollowGraph.followees");
        store.fail("Outbox.newest");
        store.fail("Outbox.page");
        clock.advance(FeedEngineBuilder.DEFAULT_FOLLOWEE_AGE);
        assertThat(ids(page())).isEqualTo(all.subList(0, 6));
        assertThat(page().caveats()).containsExactly(Caveat.STALE);
    }

    @Test
    @DisplayName("a store of the host's loader that is down says nothing about the source of truth")
    void hostsStoreDown() {
        fill();
        for (int n = 0; n < 10; n++) {
            StoreUnavailableException down = new StoreUnavailableException("likes", new IllegalStateException("down"));
            AtomicInteger loads = new AtomicInteger();
            assertThatThrownBy(() -> engine.read("ann", PageRequest.first(6), posts -> {
                        loads.incrementAndGet();
                        throw down;
                    }))
                    .isSameAs(down);
            assertThat(loads).hasValue(1);
        }
        assertThat(page().caveats()).isEmpty();
    }

    @Test
    @DisplayName("a loader that hangs while it is asked whether the source is back keeps no others from asking")
    void hangingProbe() throws Exception {
        fill();
        down();
        for (int n = 0; n < 5; n++) {
            page();
        }
        store.heal();
        clock.advance(Duration.ofSeconds(1));
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Thread probe = new Thread(() -> engine.read("ann", PageRequest.first(6), posts -> {
            hanging.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return posts.stream().collect(toMap(post -> post, Post::id));
        }));
        probe.start();
        try {
            assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(page().caveats()).containsExactly(Caveat.STALE);
            clock.advance(Duration.ofSeconds(1));
            assertThat(page().caveats()).isEmpty();
        } finally {
            goOn.countDown();
            probe.join();
        }
    }

    @Test
    @DisplayName("it is asked a few times and then once a second")
    void asksSeldom() {
        fill();
        down();
        int before = store.calls("PulledRegister.update");
        for (int n = 0; n < 50; n++) {
            assertThat(ids(page())).isEqualTo(all.subList(0, 6));
        }
        assertThat(store.calls("PulledRegister.update") - before).isEqualTo(5);
        clock.advance(Duration.ofSeconds(1));
        page();
        page();
        assertThat(store.calls("PulledRegister.update") - before).isEqualTo(6);
    }

    @Test
    @DisplayName("with the inbox store down as well, reads fail, typed")
    void bothDown() {
        fill();
        down();
        store.fail("Inbox.slice");
        assertThatThrownBy(this::page).isInstanceOf(StoreUnavailableException.class);
    }

    /** A call that hangs until it is let go, and fails then. */
    private final class Hang implements AutoCloseable {
        private final CountDownLatch hanging = new CountDownLatch(1);
        private final CountDownLatch timeout = new CountDownLatch(1);
        private final FutureTask<FeedPage<Post>> page;

        Hang(String call) throws InterruptedException {
            this(call, StaleReadsTest.this::page);
        }

        Hang(String call, Callable<FeedPage<Post>> read) throws InterruptedException {
            store.before(call, () -> {
                hanging.countDown();
                try {
                    timeout.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new StoreUnavailableException(call, null);
            });
            page = new FutureTask<>(read);
            new Thread(page).start();
            assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();
        }

        FeedPage<Post> timeOut() throws Exception {
            timeout.countDown();
            return page.get(30, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            timeout.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PulledRegister.update", "FollowGraph.followees"})
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    @DisplayName("and hangs, pages wait for it for a second at most; one page a second tries")
    void hangs(String call) throws Exception {
        fill();
        clock.advance(FeedEngineBuilder.DEFAULT_FOLLOWEE_AGE);
        try (Hang hang = new Hang(call)) {
            clock.advance(Duration.ofSeconds(1));
            for (int n = 0; n < 50; n++) {
                assertThat(ids(page())).isEqualTo(all.subList(0, 6));
                assertThat(page().caveats()).containsExactly(Caveat.STALE);
            }
            store.fail(call);
            clock.advance(Duration.ofSeconds(9));
            assertThat(hang.timeOut().caveats()).containsExactly(Caveat.STALE);
            int before = store.calls(call);
            for (int n = 0; n < 50; n++) {
                assertThat(page().caveats()).containsExactly(Caveat.STALE);
            }
            assertThat(store.calls(call)).isEqualTo(before);
            clock.advance(Duration.ofSeconds(1));
            for (int n = 0; n < 50; n++) {
                assertThat(page().caveats()).containsExactly(Caveat.STALE);
            }
            assertThat(store.calls(call)).isEqualTo(before + 1);
            store.heal();
            clock.advance(Duration.ofSeconds(1));
            assertThat(page().caveats()).isEmpty();
            assertThat(page().caveats()).isEmpty();
        }
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    @DisplayName("and hangs, the page of an author who has just published in a transaction does not wait, either")
    void authorDoesNotWait() throws Exception {
        fill();
        page();
        engine.read("zoe", PageRequest.first(1));
        try (InMemoryTransaction transaction = memory.begin()) {
            engine.publish(Post.of("ann", "own", clock.millis()), transaction);
            transaction.commit();
        }
        clock.advance(Duration.ofSeconds(2));
        try (Hang hang = new Hang("PulledRegister.update", () -> engine.read("zoe", PageRequest.first(1)))) {
            store.before("Outbox.newest", () -> {
                throw new AssertionError("asked");
            });
            clock.advance(Duration.ofSeconds(1));
            assertThat(page().caveats()).containsExactly(Caveat.STALE);
            hang.timeOut();
        }
    }
}
