package io.feedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.rank.RankRequest;
import io.feedkit.rank.Rankers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("When the store cannot be reached")
class StoreDownTest {

    private static final String[] USERS = {"ann", "bob", "cat"};

    private final ManualClock clock = new ManualClock();
    private final InMemoryFeedStore memory = InMemoryFeedStore.create(clock);
    private final ProbedStore store = new ProbedStore(memory);
    private FeedEngine engine;

    @BeforeEach
    void open() {
        engine = FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .cap(10)
                .reading(reading -> reading.staleness(Duration.ZERO))
                .build();
        engine.follow("ann", "bob");
        engine.follow("ann", "cat");
        engine.read("ann", PageRequest.first(1));
        for (int i = 0; i < 20; i++) {
            engine.publish(new Post("bob", "p" + i, ManualClock.START.minusSeconds(100 - i)));
        }
        engine.usePolicy(FanoutPolicy.pull());
        engine.publish("cat", "c1");
        engine.usePolicy(FanoutPolicy.push());
        engine.fanout().drain();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static Map<String, Consumer<FeedEngine>> operations() {
        Map<String, Consumer<FeedEngine>> operations = new LinkedHashMap<>();
        operations.put("publish", engine -> engine.publish("bob", "p99"));
        operations.put("delete", engine -> engine.delete("bob", "p1"));
        operations.put("follow", engine -> engine.follow("ann", "dan"));
        operations.put("unfollow", engine -> engine.unfollow("ann", "bob"));
        operations.put("read", engine -> engine.read("ann", PageRequest.first(15)));
        operations.put("hydrate", engine -> engine.read("ann", PageRequest.first(15), posts -> Map.of()));
        operations.put("ranked", engine -> engine.ranked("ann", RankRequest.top(15, 5), Rankers.newest()));
        operations.put(
                "hydrate ranked",
                engine -> engine.ranked("ann", RankRequest.top(15, 5), Rankers.newest(), posts -> Map.of()));
        operations.put("author page", engine -> engine.readAuthor("bob", PageRequest.first(15)));
        operations.put("unread", engine -> engine.unread("ann"));
        operations.put("refresh", engine -> engine.refresh("ann"));
        operations.put("rebuild", engine -> engine.rebuild("ann"));
        operations.put("forget", engine -> engine.forget("bob"));
        operations.put("followers", engine -> engine.followers("bob", 1));
        operations.put("backlog", engine -> engine.fanout().backlog());
        operations.put("drain", engine -> engine.fanout().drain());
        operations.put("dead letters", engine -> engine.fanout().deadLetters(1));
        operations.put("replay", engine -> engine.fanout().replay(List.of("1")));
        operations.put("discard", engine -> engine.fanout().discard(List.of("1")));
        return operations;
    }

    static Stream<Arguments> everyOperation() {
        return operations().entrySet().stream().map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("everyOperation")
    @DisplayName("every operation fails with a typed exception that names what was tried, and has written nothing")
    void typed(String name, Consumer<FeedEngine> operation) {
        StoreDump before = StoreDump.of(memory, USERS);
        store.fail("*");
        assertThatThrownBy(() -> operation.accept(engine))
                .isInstanceOfSatisfying(StoreUnavailableException.class, e -> {
                    assertThat(e.isRetryable()).isTrue();
                    assertThat(e).hasMessageStartingWith("store unavailable: ");
                });
        assertThat(StoreDump.of(memory, USERS)).isEqualTo(before);
    }

    static Stream<String> partsOfARead() {
        return Stream.of("PulledRegister.update", "Outbox.newest", "Outbox.page", "FollowGraph.followees");
    }

    @ParameterizedTest
    @MethodSource("partsOfARead")
    @DisplayName("a page that lacks a part of what it needs is an exception, not a page")
    void noWrongPage(String call) {
        List<Post> whole = engine.read("ann", PageRequest.first(15)).items();
        assertThat(whole).hasSize(15);
        try (FeedEngine fresh = FeedEngine.builder(store)
                .clock(clock)
                .workers(0)
                .cap(10)
                .reading(reading -> reading.staleness(Duration.ZERO))
                .build()) {
            store.fail(call);
            assertThatThrownBy(() -> fresh.read("ann", PageRequest.first(15)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(call);
            store.heal();
            assertThat(fresh.read("ann", PageRequest.first(15)).items()).isEqualTo(whole);
        }
    }

    @Test
    @DisplayName("a publish whose answer was lost says so, and repeating it settles it")
    void outcomeUnknown() {
        OutcomeUnknownException lost = new OutcomeUnknownException("outbox.append", null);
        store.before("FanoutLog.queueStatus", () -> {
            throw lost;
        });
        assertThatThrownBy(() -> engine.fanout().backlog()).isSameAs(lost);
        assertThat(lost.isRetryable()).isTrue();
        assertThat(lost.operation()).isEqualTo("outbox.append");
        assertThat(lost).hasMessage("outcome unknown: outbox.append was sent, but not answered");
        store.heal();
        assertThat(engine.publish("bob", "p99").status()).isEqualTo(Published.Status.NEW);
        clock.advance(Duration.ofSeconds(1));
        Published again = engine.publish("bob", "p99");
        assertThat(again.status()).isEqualTo(Published.Status.SAME);
        assertThat(again.post().publishedAt()).isEqualTo(ManualClock.START);
    }

    @Test
    @DisplayName("an own inbox that is down does not fail a publish, whose task delivers later")
    void inboxDownDuringPublish() {
        try (FeedEngine own =
                FeedEngine.builder(store).clock(clock).workers(0).ownPosts(true).build()) {
            own.read("bob", PageRequest.first(1));
            store.fail("Inbox.deliver");
            assertThat(own.publish("bob", "p99").status()).isEqualTo(Published.Status.NEW);
            store.heal();
            own.fanout().drain();
            assertThat(own.read("bob", PageRequest.first(1)).items())
                    .extracting(Post::id)
                    .containsExactly("p99");
        }
    }
}
