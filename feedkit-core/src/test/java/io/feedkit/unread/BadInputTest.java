package io.feedkit.unread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.counter.Counters;
import io.feedkit.counter.Reactions;
import io.feedkit.counter.Views;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.time.Clock;
import java.time.Duration;
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
        assertThatThrownBy(() -> unread.retract("ann", "like", amount))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("amount");
        assertThat(unread.read("ann").byType()).isEmpty();
    }

    @Test
    @DisplayName("refuses all users for one bad id")
    void oneOfMany() {
        assertThatThrownBy(() -> unread.add(List.of("ann", "b n"), "like", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("user must consist of visible ASCII characters");
        assertThat(unread.read("ann").total()).isZero();
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
    @DisplayName("refuses who is no member, and messages that were never sent")
    void conversations() {
        conversations.join("c", "ann");
        assertThatThrownBy(() -> conversations.send("c", "ben"))
                .isInstanceOf(NotAMemberException.class)
                .hasMessage("user \"ben\" is not a member of conversation \"c\"");
        assertThatThrownBy(() -> conversations.readAll("c", "ben")).isInstanceOf(NotAMemberException.class);
        assertThatThrownBy(() -> conversations.read("c", "ann", -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("number");
        assertThatThrownBy(() -> conversations.unsend("c", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("number");
        assertThat(conversations.unread("ben", List.of("c", "unknown"))).containsExactly(0L, 0L);
        assertThat(conversations.send("c", "ann")).isEqualTo(1);
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
        assertNamed("shown must not be null", () -> unread.clear(null));
        assertNamed("users must not be null", () -> unread.forget(null));
        assertNamed("user must not be null", () -> unread.forget(one));
        assertNamed("type must not be null", () -> unread.clearNow("ann", null));
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
        assertNamed("reactions must not be null", () -> likes.add(null));
        assertNamed("reaction must not be null", () -> likes.add(Collections.singletonList(null)));
        assertNamed("posts must not be null", () -> likes.counts(null));
        assertNamed("post must not be null", () -> likes.counts(one));
        assertNamed("among must not be null", () -> likes.reacted("ann", null));
        assertNamed("post must not be null", () -> likes.reacted("ann", one));
        RedDots dots = RedDots.of(store);
        assertNamed("users must not be null", () -> dots.lightFor("d", null));
        assertNamed("user must not be null", () -> dots.lightFor("d", one));
        assertNamed("dots must not be null", () -> dots.lit("ann", null));
        assertNamed("dot must not be null", () -> dots.lit("ann", one));
        Badges badges = Badges.of(store);
        assertNamed("conversation must not be null", () -> badges.read("ann", one, Set.of(), Set.of()));
        assertNamed("segment must not be null", () -> badges.read("ann", Set.of(), one, Set.of()));
        assertNamed("dot must not be null", () -> badges.read("ann", Set.of(), Set.of(), one));
    }

    @Test
    @DisplayName("beside an empty list is refused as beside any other")
    void besideNothing() {
        assertNamed("type must", () -> unread.add(List.of(), "l ke", 1));
        assertNamed("user must", () -> unread.clear(new UnreadCounts("a n", Map.of(), Map.of())));
        assertNamed("type must", () -> counters.get("l ke", List.of()));
        assertNamed("type must", () -> counters.load("l ke", Map.of()));
        assertNamed("type must", () -> counters.getOrLoad("l ke", List.of(), ids -> Map.of()));
        assertNamed("user must", () -> conversations.unread("a n", List.of()));
        assertNamed("user must", () -> Reactions.of(store).reacted("a n", List.of()));
        assertNamed("dot must", () -> RedDots.of(store).lightFor("d t", List.of()));
        assertNamed("user must", () -> RedDots.of(store).lit("a n", List.of()));
    }

    @Test
    @DisplayName("is no dot or announcement that nobody knows")
    void unknown() {
        assertThat(RedDots.of(store).lit("ann", Set.of("d"))).isEmpty();
        RedDots.of(store).seen("ann", "d");
        RedDots.of(store).putOut("d");
        Announcements.of(store).withdraw("n");
        assertThat(Announcements.of(store).unread("ann", Set.of())).isZero();
    }
}
