package io.feedkit.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.unread.Announcements;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Counters of all kinds")
class FeedCountersTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-05-01T12:00:00Z"), ZoneOffset.UTC);

    private final InMemoryCounterStore store = InMemoryCounterStore.create(CLOCK);
    private final FeedCounters counters = FeedCounters.of(store, CLOCK);

    private void fill(FeedCounters used) {
        used.unread().add(List.of("ann"), "likes", 2);
        used.conversations().join("c", "ann");
        used.conversations().join("c", "bob");
        used.conversations().add("c", "bob");
        used.announcements().enter("ann");
        used.announcements().add("a", Announcements.EVERYBODY);
        used.redDots().add("d");
        used.plain().add("posts", "bob", 3);
        used.likes().add("ann", "p");
        used.reactions("smile").add("ann", "p");
        used.exclusiveReactions("vote").choose("ann", "p", "up");
        used.views(Duration.ofDays(1)).add("ann", "p");
    }

    private static void assertFilled(FeedCounters used) {
        assertThat(used.unread().get("ann").of("likes")).isEqualTo(2);
        assertThat(used.conversations().get("ann", List.of("c"))).containsExactly(1L);
        assertThat(used.announcements().get("ann", List.of())).isEqualTo(1);
        assertThat(used.redDots().get("ann", List.of("d"))).containsExactly("d");
        assertThat(used.badges()
                        .get("ann", List.of("c"), List.of(), List.of("d"))
                        .total())
                .isEqualTo(4);
        assertThat(used.plain().get("posts", "bob")).isEqualTo(3);
        assertThat(used.likes().get(List.of("p"))).containsExactly(1L);
        assertThat(used.reactions("smile").get(List.of("p"))).containsExactly(1L);
        assertThat(used.exclusiveReactions("vote").get(List.of("p"))).containsExactly(Map.of("up", 1L));
        assertThat(used.views(Duration.ofDays(1)).get(List.of("p"))).containsExactly(1L);
    }

    @Test
    @DisplayName("are on the store that they were made for, or that they join")
    void all() {
        fill(counters);
        assertFilled(counters);
        InMemoryCounterStore other = InMemoryCounterStore.create(CLOCK);
        assertThat(counters.in(other).plain().get("posts", "bob")).isZero();
        fill(counters.in(other));
        assertFilled(FeedCounters.of(other, CLOCK));
        assertFilled(counters);
    }

    @Test
    @DisplayName("keep their settings where they join")
    void settings() {
        FeedCounters one = counters.keepingNewest(0).in(InMemoryCounterStore.create(CLOCK));
        one.likes().add("ann", "p");
        one.reactions("smile").add("ann", "p");
        one.exclusiveReactions("vote").choose("ann", "p", "up");
        assertThat(one.likes().newest("p", 10).users()).isEmpty();
        assertThat(one.reactions("smile").newest("p", 10).users()).isEmpty();
        assertThat(one.exclusiveReactions("vote").newest("p", "up", 10).users()).isEmpty();
        assertThatThrownBy(() -> counters.keepingNewest(-1)).hasMessageContaining("newest");
    }

    @Test
    @DisplayName("forget a user in all kinds but plain counters and views of posts")
    void forget() {
        fill(counters);
        counters.forget("ann");
        assertThat(counters.unread().get("ann").of("likes")).isZero();
        assertThat(counters.conversations().get("ann", List.of("c"))).containsExactly(0L);
        assertThat(counters.likes().get(List.of("p"))).containsExactly(0L);
        assertThat(counters.plain().get("posts", "bob")).isEqualTo(3);
    }
}
