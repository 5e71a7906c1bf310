package io.feedkit.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.counter.CounterReads;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.unread.Badges;
import io.feedkit.unread.Badges.Badge;
import io.feedkit.unread.Conversations;
import io.feedkit.unread.Conversations.Loaded;
import io.feedkit.unread.RedDots;
import io.feedkit.unread.UnreadCounter;
import io.feedkit.unread.UnreadCounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Calls about very many users or counters")
class ManyAtOnceTest {

    private static final int MANY = 2 * CounterReads.AT_ONCE + 500;

    private final List<String> users =
            IntStream.range(0, MANY).mapToObj(i -> "u" + i).toList();
    private final CounterStore memory = InMemoryCounterStore.create();
    private final List<String> calls = new ArrayList<>();

    private final CounterStore store = InterceptedCounterStore.of(memory, (method, call) -> {
        calls.add(method);
        return call.make();
    });

    @Test
    @DisplayName("are made in pieces, and answered in order")
    void pieces() {
        UnreadCounter unread = UnreadCounter.of(store);
        unread.add(users, "news", 1);
        unread.add(List.of("u1", "u2400"), "like", 5);
        List<UnreadCounts> counts = unread.get(users);
        assertThat(counts).extracting(UnreadCounts::user).isEqualTo(users);
        assertThat(counts.get(2400).byType()).isEqualTo(Map.of("news", 1L, "like", 5L));
        assertThat(counts.get(2401).total()).isOne();
        assertThat(calls).containsExactly("add", "add", "add", "add", "read", "read", "read");
    }

    @Test
    @DisplayName("light a dot in pieces")
    void dots() {
        RedDots.of(store).add("wallet", users);
        assertThat(calls).containsExactly("add", "raise", "raise", "raise");
        assertThat(RedDots.of(memory).get("u2400", List.of("wallet"))).containsExactly("wallet");
    }

    @Test
    @DisplayName("add to counters and read them in pieces")
    void counters() {
        Counters counters = Counters.of(store);
        Map<String, Long> amounts = new LinkedHashMap<>();
        users.forEach(user -> amounts.put(user, (long) amounts.size() + 1));
        counters.add("plays", amounts);
        counters.add("plays", amounts, "operation");
        counters.add("plays", amounts, "operation");
        counters.load("plays", amounts);
        assertThat(counters.get("plays", users))
                .isEqualTo(amounts.values().stream().map(amount -> 3 * amount).toList());
        assertThat(calls).hasSize(5 * 3).endsWith("raise", "raise", "raise", "read", "read", "read");
    }

    @Test
    @DisplayName("count a user's conversations and dots in pieces, and load conversations so")
    void conversations() {
        Conversations conversations = Conversations.of(store);
        Map<String, Long> read = new LinkedHashMap<>();
        users.forEach(user -> read.put(user, 1L));
        conversations.load(List.of(new Loaded("talk", 3, read)));
        assertThat(calls).containsExactly("read", "add", "put", "put", "put", "raise", "raise", "raise");
        calls.clear();
        List<String> talks = new ArrayList<>(users);
        talks.set(2400, "talk");
        List<Long> unread = conversations.get("u7", talks);
        assertThat(unread).hasSize(MANY);
        assertThat(unread.get(2400)).isEqualTo(2);
        assertThat(calls).containsExactly("read", "read", "read");
        RedDots.of(memory).add("u2400");
        RedDots.of(memory).add("u1");
        calls.clear();
        Badge badge = Badges.of(store).get("u7", talks, List.of(), users);
        assertThat(badge.dots()).containsExactlyInAnyOrder("u1", "u2400");
        assertThat(badge.conversations()).hasSize(MANY).containsEntry("talk", 2L);
        assertThat(calls).hasSizeGreaterThan(5).containsOnly("read");
    }

    @Test
    @DisplayName("look up a user's reactions in pieces")
    void reactions() {
        Reactions likes = Reactions.of(memory);
        likes.add("ann", "u2400");
        likes.add("ann", "u3");
        assertThat(Reactions.of(store).reacted("ann", users)).containsExactly("u3", "u2400");
        assertThat(calls).containsExactly("read", "read", "read");
        assertThat(Reactions.of(store).reacted("ann", List.of())).isEmpty();
        assertThat(calls).hasSize(3);
    }

    @Test
    @DisplayName("have an unknown outcome if a later piece fails, and are finished by the same call")
    void halfDone() {
        CounterStore failing = InterceptedCounterStore.of(memory, (method, call) -> {
            calls.add(method);
            if (calls.size() == 2) {
                throw new StoreUnavailableException(method, new IllegalStateException("down"));
            }
            return call.make();
        });
        assertThatThrownBy(() -> UnreadCounter.of(failing).add(users, "news", 1, "operation"))
                .isInstanceOf(OutcomeUnknownException.class);
        UnreadCounter.of(failing).add(users, "news", 1, "operation");
        assertThat(UnreadCounter.of(memory).get(users))
                .allSatisfy(counts -> assertThat(counts.total()).isOne());
    }

    @Test
    @DisplayName("add nothing if one of them is not legal")
    void illegal() {
        Counters counters = Counters.of(store);
        assertThatThrownBy(() -> counters.add("plays", Map.of("a", 1L, "b", 0L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("amount must be from");
        assertThatThrownBy(() -> counters.add("plays", Map.of("a", 1L, "b c", 1L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("id must");
        assertThat(calls).isEmpty();
    }
}
