package io.feedkit.unread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.counter.Counters;
import io.feedkit.counter.ExclusiveReactions;
import io.feedkit.counter.FeedCounters;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Views;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.unread.Conversations.Loaded;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Bad input to counters")
class BadInputTest {

    private final CounterStore store = InMemoryCounterStore.create();
    private final UnreadCounter unread = UnreadCounter.of(store);
    private final Conversations conversations = Conversations.of(store);
    private final Counters counters = Counters.of(store);

    @ParameterizedTest
    @ValueSource(longs = {0, -1, UnreadCounter.MAX_AMOUNT + 1, Long.MIN_VALUE, Long.MAX_VALUE})
    @DisplayName("names an amount that is out of range, and adds nothing")
    void amounts(long amount) {
        assertThatThrownBy(() -> unread.add(List.of("ann"), "like", amount))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("amount must be between 1 and 1000000000, but is " + amount);
        assertThatThrownBy(() -> unread.remove("ann", "like", amount))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("amount");
        assertThat(unread.get("ann").byType()).isEmpty();
    }

    @Test
    @DisplayName("refuses all users for one bad id")
    void oneOfMany() {
        assertThatThrownBy(() -> unread.add(List.of("ann", "b n"), "like", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("user must consist of visible ASCII characters");
        assertThat(unread.get("ann").total()).isZero();
        unread.add(List.of(), "like", 1);
    }

    @Test
    @DisplayName("says when a sum does not fit, and changes nothing")
    void overflow() {
        Owner post = new Owner(Space.COUNTERS, "p");
        store.add(List.of(new Add(new CellKey(post, "score"), Long.MAX_VALUE, Optional.empty())));
        assertThatThrownBy(() -> counters.add("score", "p", 1))
                .isInstanceOf(ArithmeticException.class)
                .hasMessageContaining("cannot add 1 to score of p: it holds " + Long.MAX_VALUE + ", and ");
        assertThatThrownBy(() -> counters.add("score", "p", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("amount");
        assertThat(counters.get("score", List.of("p", "q"))).containsExactly(Long.MAX_VALUE, 0L);
    }

    @Test
    @DisplayName("refuses who is no member, and messages that were never added")
    void conversations() {
        conversations.join("c", "ann");
        assertThatThrownBy(() -> conversations.add("c", "ben"))
                .isInstanceOf(NotAMemberException.class)
                .hasMessage("user \"ben\" is not a member of conversation \"c\"");
        assertThatThrownBy(() -> conversations.markAllSeen("c", "ben")).isInstanceOf(NotAMemberException.class);
        assertThatThrownBy(() -> conversations.markSeen("c", "ann", -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("number");
        assertThatThrownBy(() -> conversations.remove("c", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("number");
        assertThat(conversations.get("ben", List.of("c", "unknown"))).containsExactly(0L, 0L);
        assertThat(conversations.add("c", "ann")).isEqualTo(1);
    }

    @Test
    @DisplayName("asks for a window that is not negative")
    void window() {
        for (Duration window : new Duration[] {Duration.ofMillis(-1), Duration.ofSeconds(Long.MAX_VALUE), null}) {
            assertNamed("window must", () -> Views.of(store, window, Clock.systemUTC()));
        }
    }

    private static void assertNamed(String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith(message);
    }

    @Test
    @DisplayName("that is null is named, also inside of collections")
    void nulls() {
        List<String> one = Collections.singletonList(null);
        assertNamed("counted must not be null", () -> unread.markSeen("ann", null));
        assertNamed(
                "counted of like must not be null",
                () -> unread.markSeen("ann", Collections.singletonMap("like", null)));
        assertNamed("counted of like must be between", () -> unread.markSeen("ann", Map.of("like", -1L)));
        assertNamed("type must", () -> unread.markSeen("ann", Map.of("l ke", 1L)));
        assertNamed("users must not be null", () -> unread.forget((List<String>) null));
        assertNamed("user must not be null", () -> unread.forget((String) null));
        assertNamed("user must not be null", () -> unread.forget(one));
        assertNamed("type must not be null", () -> unread.markAllSeen("ann", null));
        assertNamed("id must not be null", () -> counters.get("t", (String) null));
        assertNamed("ids must not be null", () -> counters.get("t", (List<String>) null));
        assertNamed("id must not be null", () -> counters.get("t", one));
        assertNamed("values must not be null", () -> counters.load("t", null));
        assertNamed("value of p must not be null", () -> counters.load("t", Collections.singletonMap("p", null)));
        assertNamed("loader must not be null", () -> counters.getOrLoad("t", List.of("p"), null));
        assertNamed("the loader's answer must not be null", () -> counters.getOrLoad("t", List.of("p"), ids -> null));
        assertNamed(
                "value of p must not be null",
                () -> counters.getOrLoad("t", List.of("p"), ids -> Collections.singletonMap("p", null)));
        assertThat(counters.getOrLoad("t", List.of("p"), ids -> Map.of("p", 3L)))
                .containsExactly(3L);
        Reactions likes = Reactions.of(store);
        assertNamed("kind must not be null", () -> Reactions.of(store, null));
        assertNamed("amounts must not be null", () -> counters.add("t", null));
        assertNamed("amount of p must not be null", () -> counters.add("t", Collections.singletonMap("p", null)));
        assertNamed("operation must not be null", () -> counters.add("t", Map.of("p", 1L), null));
        ExclusiveReactions votes = ExclusiveReactions.of(store, "vote");
        assertNamed("kind must not be null", () -> ExclusiveReactions.of(store, null));
        assertNamed("choice must not be null", () -> votes.choose("ann", "p", null));
        assertNamed("choices must not be null", () -> votes.choose(null));
        assertNamed("reaction must not be null", () -> votes.choose(Collections.singletonMap(null, "up")));
        assertNamed("among must not be null", () -> votes.chosen("ann", null));
        assertNamed("reactions must not be null", () -> likes.add(null));
        assertNamed("reaction must not be null", () -> likes.add(Collections.singletonList(null)));
        assertNamed("posts must not be null", () -> likes.get((List<String>) null));
        assertNamed("post must not be null", () -> likes.get(one));
        assertNamed("among must not be null", () -> likes.reacted("ann", null));
        assertNamed("post must not be null", () -> likes.reacted("ann", one));
        RedDots dots = RedDots.of(store);
        assertNamed("users must not be null", () -> dots.add("d", null));
        assertNamed("user must not be null", () -> dots.add("d", one));
        assertNamed("dots must not be null", () -> dots.get("ann", null));
        assertNamed("dot must not be null", () -> dots.get("ann", one));
        Badges badges = Badges.of(store);
        assertNamed("conversation must not be null", () -> badges.get("ann", one, Set.of(), Set.of()));
        assertNamed("segment must not be null", () -> badges.get("ann", Set.of(), one, Set.of()));
        assertNamed("dot must not be null", () -> badges.get("ann", Set.of(), Set.of(), one));
    }

    @Test
    @DisplayName("is a choice, a page or a bound of reactions that cannot be")
    void reactions() {
        Reactions likes = Reactions.of(store);
        ExclusiveReactions votes = ExclusiveReactions.of(store, "vote");
        assertNamed("choice must", () -> votes.choose("ann", "p", "u/p"));
        assertNamed("choice must", () -> votes.newest("p", "", 1));
        assertNamed("kind must", () -> ExclusiveReactions.of(store, "vo/te"));
        for (int wrong : new int[] {0, Reactions.MAX_PAGE + 1}) {
            assertNamed("limit must be between", () -> likes.posts("ann", wrong));
            assertNamed("limit must be between", () -> likes.posts("ann", 7, wrong));
            assertNamed("limit must be between", () -> votes.posts("ann", wrong));
        }
        for (int wrong : new int[] {0, Reactions.MAX_NEWEST + 1}) {
            assertNamed("limit must be between", () -> likes.newest("p", wrong));
            assertNamed("limit must be between", () -> votes.newest("p", "up", wrong));
        }
        for (int wrong : new int[] {-1, Reactions.MAX_NEWEST + 1}) {
            assertNamed("newest must be between", () -> likes.keepingNewest(wrong));
            assertNamed("newest must be between", () -> votes.keepingNewest(wrong));
        }
        assertNamed("user must", () -> likes.posts("a n", 1));
        assertNamed("user must", () -> likes.forget("a n"));
        assertNamed("post must", () -> likes.newest("p q", 1));
    }

    @Test
    @DisplayName("is a store or a clock that is null")
    void noStore() {
        assertNamed("store must not be null", () -> UnreadCounter.of(null));
        assertNamed("store must not be null", () -> Conversations.of(null));
        assertNamed("store must not be null", () -> Announcements.of(null));
        assertNamed("clock must not be null", () -> Announcements.of(store, null));
        assertNamed("clock must not be null", () -> Badges.of(store, null));
        assertNamed("end must not be null", () -> Announcements.of(store).add("a", "*", null));
        assertNamed("end must be between", () -> Announcements.of(store).add("a", "*", Instant.MAX));
        assertNamed("end must be between", () -> Announcements.of(store).add("a", "*", Instant.MIN));
        assertNamed("store must not be null", () -> RedDots.of(null));
        assertNamed("store must not be null", () -> Badges.of(null));
        assertNamed("store must not be null", () -> Counters.of(null));
        assertNamed("store must not be null", () -> Reactions.of(null));
        assertNamed("store must not be null", () -> ExclusiveReactions.of(null, "vote"));
        assertNamed("store must not be null", () -> Views.of(null, Duration.ZERO, Clock.systemUTC()));
        assertNamed("store must not be null", () -> FeedCounters.of(null).forget("ann"));
        assertNamed("clock must not be null", () -> Views.of(store, Duration.ZERO, null));
        assertNamed("clock must not be null", () -> InMemoryCounterStore.create(null));
    }

    @Test
    @DisplayName("is a time that is null, not positive or too long for the store in memory")
    void times() {
        for (Duration wrong : new Duration[] {null, Duration.ofMillis(-1), Duration.ofSeconds(Long.MAX_VALUE)}) {
            assertNamed("operationsKept must", () -> InMemoryCounterStore.create(Clock.systemUTC(), wrong));
            assertNamed("olderThan must", () -> InMemoryCounterStore.create().purgeViews(wrong));
        }
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofMillis(999))) {
            assertNamed("operationsKept must", () -> InMemoryCounterStore.create(Clock.systemUTC(), wrong));
        }
        Duration longest = Duration.ofMillis(Long.MAX_VALUE);
        assertThat(InMemoryCounterStore.create(Clock.systemUTC(), longest).purgeViews(longest))
                .isZero();
    }

    @Test
    @DisplayName("is a null in what was kept elsewhere or shown")
    void nullsInside() {
        assertNamed("read must not be null", () -> new Loaded("c", 1, null));
        assertNamed("last must be between", () -> new Loaded("c", Long.MAX_VALUE, Map.of()));
        assertNamed("user must not be null", () -> new Loaded("c", 1, Collections.singletonMap(null, 1L)));
        assertNamed(
                "read of \"ann\" must not be null", () -> new Loaded("c", 1, Collections.singletonMap("ann", null)));
        assertNamed("loaded must not be null", () -> conversations.load(null));
        assertNamed("loaded conversation must not be null", () -> conversations.load(Collections.singletonList(null)));
        assertNamed("conversation must not be null", () -> conversations.load(List.of(new Loaded(null, 1, Map.of()))));
        assertNamed("byType must not be null", () -> new UnreadCounts("ann", null, Map.of()));
        assertNamed("counted must not be null", () -> new UnreadCounts("ann", Map.of(), null));
        assertNamed(
                "counted of \"like\" must not be null",
                () -> new UnreadCounts("ann", Map.of(), Collections.singletonMap("like", null)));
        assertNamed("type must not be null", () -> unread.get("ann").of(null));
        assertNamed("type must not be null", () -> unread.get("ann").only(null));
    }

    @Test
    @DisplayName("beside an empty list is refused as beside any other")
    void besideNothing() {
        assertNamed("type must", () -> unread.add(List.of(), "l ke", 1));
        assertNamed("user must", () -> unread.markSeen("a n", Map.of()));
        assertNamed("type must", () -> counters.get("l ke", List.of()));
        assertNamed("type must", () -> counters.load("l ke", Map.of()));
        assertNamed("type must", () -> counters.add("l ke", Map.of()));
        assertNamed("type must", () -> counters.getOrLoad("l ke", List.of(), ids -> Map.of()));
        assertNamed("user must", () -> conversations.get("a n", List.of()));
        assertNamed("user must", () -> Reactions.of(store).reacted("a n", List.of()));
        assertNamed("dot must", () -> RedDots.of(store).add("d t", List.of()));
        assertNamed("user must", () -> RedDots.of(store).get("a n", List.of()));
    }

    @Test
    @DisplayName("is no dot or announcement that nobody knows")
    void unknown() {
        assertThat(RedDots.of(store).get("ann", Set.of("d"))).isEmpty();
        RedDots.of(store).markSeen("ann", "d");
        RedDots.of(store).remove("d");
        Announcements.of(store).remove("n");
        assertThat(Announcements.of(store).get("ann", Set.of())).isZero();
    }
}
