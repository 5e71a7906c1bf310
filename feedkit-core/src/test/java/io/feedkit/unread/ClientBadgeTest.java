package io.feedkit.unread;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a client sends back")
class ClientBadgeTest {

    private static final int MADE_UP = 20_000;

    private final CounterStore store = InMemoryCounterStore.create();
    private final UnreadCounter unread = UnreadCounter.of(store);

    @Test
    @DisplayName("marks as seen what was counted of the user whom the host names, and of nobody else")
    void counted() {
        unread.add(List.of("ann", "ben"), "like", 3);
        Map<String, Long> held = unread.get("ben").counted();
        unread.markSeen("ann", held);
        assertThat(unread.get("ann").total()).isZero();
        assertThat(unread.get("ben").total()).isEqualTo(3);
    }

    @Test
    @DisplayName("leaves nothing of types and dots that were made up")
    void madeUp() {
        unread.add(List.of("ann"), "like", 3);
        Map<String, Long> held = new HashMap<>(Map.of("like", Long.MAX_VALUE));
        for (int i = 0; i < MADE_UP; i++) {
            held.put("made-up-" + i, (long) i);
        }
        unread.markSeen("ann", held);
        unread.markAllSeen("ann", "made-up");
        assertThat(unread.remove("ann", "made-up", 1)).isZero();
        RedDots.of(store).markSeen("ann", "made-up", 7);
        assertThat(store.cells(List.of(new Owner(Space.TYPES, "ann"), new Owner(Space.DOTS, "ann"))))
                .extracting(Map::size)
                .containsExactly(1, 0);
        unread.add(List.of("ann"), "like", 1);
        unread.add(List.of("ann"), "made-up-7", 1);
        assertThat(unread.get("ann").byType()).isEqualTo(Map.of("like", 1L, "made-up-7", 1L));
    }
}
