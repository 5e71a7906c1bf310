package io.feedkit.tools.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.counter.Counters;
import io.feedkit.counter.FeedCounters;
import io.feedkit.counter.Views;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.unread.Announcements;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Counters in SQL behind Redis, in a transaction of the host's,")
@Timeout(120)
class InTransactionBehindTest {

    private static final Duration WINDOW = Duration.ofHours(1);

    private final CountersBehind behind = new CountersBehind();
    private final WriteBehindCounterStore store = behind.store(behind.sql());
    private final UnreadCounter unread = UnreadCounter.of(store);

    @AfterEach
    void close() {
        behind.close();
    }

    private void inTransaction(boolean committed, Consumer<CounterStore> work) {
        behind.inTransaction(store, committed, work);
    }

    @Test
    @DisplayName("mark as seen what is not written yet, and nothing if the host rolls back")
    void seen() {
        unread.add(List.of("ann"), "like", 5);
        unread.add(List.of("ann"), "like", 2, "operation");
        for (boolean committed : new boolean[] {false, true}) {
            inTransaction(committed, joined -> {
                assertThat(UnreadCounter.of(joined).get("ann").total()).isEqualTo(7);
                UnreadCounter.of(joined).markAllSeen("ann", "like");
                assertThat(UnreadCounter.of(joined).get("ann").total()).isZero();
            });
            assertThat(unread.get("ann").total()).isEqualTo(committed ? 0 : 7);
        }
        unread.add(List.of("ann"), "like", 3);
        assertThat(unread.get("ann").total()).isEqualTo(3);
        store.flush();
        assertThat(unread.get("ann").total()).isEqualTo(3);
        assertThat(UnreadCounter.of(behind.sql()).get("ann").total()).isEqualTo(3);
    }

    @Test
    @DisplayName("take operations back, whether or not they were seen in Redis")
    void removed() {
        unread.add(List.of("ann"), "like", 1, "seen");
        unread.markSeen("ann", unread.get("ann").counted());
        unread.add(List.of("ann"), "like", 1, "unseen");
        inTransaction(true, joined -> UnreadCounter.of(joined).remove("ann", "like", "seen"));
        assertThat(unread.get("ann").total()).isEqualTo(1);
        inTransaction(true, joined -> UnreadCounter.of(joined).remove("ann", "like", "unseen"));
        assertThat(unread.get("ann").total()).isZero();
        store.flush();
        assertThat(unread.get("ann").total()).isZero();
    }

    @Test
    @DisplayName("keep the marks that users have only in Redis")
    void marks() {
        Announcements announcements = Announcements.of(store);
        announcements.enter("ann");
        announcements.add("news", Announcements.EVERYBODY);
        inTransaction(true, joined -> Announcements.of(joined).enter("ann"));
        assertThat(announcements.get("ann", Set.of())).isEqualTo(1);
        Conversations talks = Conversations.of(store);
        talks.join("talk", "ann");
        talks.join("talk", "ben");
        inTransaction(true, joined -> {
            Conversations.of(joined).add("talk", "ben");
            Conversations.of(joined).add("talk", "ben");
        });
        talks.markSeen("talk", "ann", 1);
        inTransaction(true, joined -> {
            assertThat(Conversations.of(joined).get("ann", List.of("talk"))).containsExactly(1L);
            Conversations.of(joined).markSeen("talk", "ann", 2);
        });
        assertThat(talks.get("ann", List.of("talk"))).containsExactly(0L);
    }

    @Test
    @DisplayName("refuse by name what Redis would have to take part in, before anything is done")
    void refused() {
        unread.add(List.of("ann"), "like", 5);
        List<Consumer<CounterStore>> calls = List.of(
                joined -> FeedCounters.of(joined).forget("ann"),
                joined -> UnreadCounter.of(joined).forget(List.of("ann")),
                joined -> Announcements.of(joined).forget("ann"),
                joined -> RedDots.of(joined).forget("ann"),
                joined -> Views.of(joined, WINDOW, Clock.systemUTC()).forget("ann"),
                joined -> Views.of(joined, WINDOW, Clock.systemUTC()).add("ann", "post"));
        for (Consumer<CounterStore> call : calls) {
            assertThatThrownBy(() -> inTransaction(true, call))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("in a transaction behind Redis");
        }
        store.flush();
        assertThat(unread.get("ann").total()).isEqualTo(5);
        assertThatThrownBy(() -> Views.of(store, Duration.ofDays(31), Clock.systemUTC()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("window must be at most PT720H,");
        behind.inTransaction(
                store, false, joined -> assertThat(joined.viewsKept()).isEqualTo(store.viewsKept()));
        assertThat(Views.of(store, WINDOW, Clock.systemUTC()).add("ann", "post"))
                .isTrue();
    }

    @Test
    @DisplayName("are those of the store's own source of truth")
    void foreign() {
        try (CountersBehind other = new CountersBehind()) {
            assertThatThrownBy(() -> store.in(other.sql()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("joined must be the source of truth");
            assertThatThrownBy(() -> store.in(null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("joined must not be null");
        }
    }

    @Test
    @DisplayName("leave nothing of types that a client made up")
    void madeUp() {
        inTransaction(true, joined -> UnreadCounter.of(joined).markAllSeen("ann", "made-up"));
        assertThat(unread.get("ann").counted()).isEmpty();
        Counters.of(store).add("plays", "song", 1);
        inTransaction(true, joined -> Counters.of(joined).add("plays", "song", 2));
        assertThat(Counters.of(store).get("plays", "song")).isEqualTo(3);
    }
}
