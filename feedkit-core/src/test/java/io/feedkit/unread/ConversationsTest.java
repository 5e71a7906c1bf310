package io.feedkit.unread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.counter.InterceptedCounterStore;
import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.counter.CounterStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Conversations")
class ConversationsTest {

    private static final int ROUNDS = 3000;
    private static final int THREADS = 3;

    private final CounterStore store = InMemoryCounterStore.create();
    private final Conversations conversations = Conversations.of(store);

    @Test
    @DisplayName("that were kept elsewhere are brought in, once, and go on from there")
    void loaded() {
        List<Conversations.Loaded> kept = List.of(
                new Conversations.Loaded("talk", 7, Map.of("ann", 5L, "ben", 100L)),
                new Conversations.Loaded("empty", 0, Map.of("ann", 0L)));
        conversations.join("talk", "cid");
        for (int times = 0; times < 2; times++) {
            conversations.load(kept);
            assertThat(conversations.get("ann", List.of("talk", "empty"))).containsExactly(2L, 0L);
            assertThat(conversations.get("ben", List.of("talk"))).containsExactly(0L);
            assertThat(conversations.get("cid", List.of("talk"))).containsExactly(7L);
        }
        assertThat(conversations.add("talk", "ben")).isEqualTo(8);
        conversations.load(kept);
        assertThat(conversations.last("talk")).isEqualTo(8);
        conversations.forget("ann");
        assertThatThrownBy(() -> conversations.add("empty", "ann")).isInstanceOf(NotAMemberException.class);
        assertThatThrownBy(() -> new Conversations.Loaded("talk", -1, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("last");
    }

    @Test
    @DisplayName("leave no membership that forget does not find, however joins and leaves race")
    void forgotten() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                String talk = "talk-" + round;
                List<Callable<Boolean>> calls = new ArrayList<>();
                for (int thread = 0; thread < THREADS; thread++) {
                    boolean joins = (round + thread) % 2 == 0;
                    calls.add(() -> {
                        if (joins) {
                            conversations.join(talk, "ann");
                        } else {
                            conversations.leave(talk, "ann");
                        }
                        return true;
                    });
                }
                for (Future<Boolean> call : pool.invokeAll(calls)) {
                    assertThat(call.get()).isTrue();
                }
                conversations.forget("ann");
                assertThatThrownBy(() -> conversations.add(talk, "ann"))
                        .as("a member after forget, in round %d", round)
                        .isInstanceOf(NotAMemberException.class);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    @DisplayName("that a user joins while the user is forgotten are kept in the list, and forgotten the next time")
    void joinedMeanwhile() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        Conversations forgetting = Conversations.of(InterceptedCounterStore.after(
                store, "read", () -> meanwhile.getAndSet(() -> {}).run()));
        conversations.join("old", "ann");
        meanwhile.set(() -> {
            conversations.join("new", "ann");
            conversations.leave("old", "ann");
        });
        forgetting.forget("ann");
        assertThat(conversations.add("new", "ann")).isOne();
        conversations.forget("ann");
        assertThatThrownBy(() -> conversations.add("new", "ann")).isInstanceOf(NotAMemberException.class);
    }

    @Test
    @DisplayName("that a user joins again while the user is forgotten are forgotten, or kept in the list")
    void joinedAgainMeanwhile() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        Conversations forgetting = Conversations.of(InterceptedCounterStore.after(
                store, "removeCells", () -> meanwhile.getAndSet(() -> {}).run()));
        conversations.join("talk", "ann");
        meanwhile.set(() -> conversations.join("talk", "ann"));
        forgetting.forget("ann");
        assertThat(conversations.add("talk", "ann")).isOne();
        conversations.forget("ann");
        assertThatThrownBy(() -> conversations.add("talk", "ann")).isInstanceOf(NotAMemberException.class);
    }

    @Test
    @DisplayName("tell the number of their last message, also one whose answer was lost, which then may be taken back")
    void last() {
        assertThat(conversations.last("talk")).isZero();
        conversations.join("talk", "ann");
        conversations.join("talk", "ben");
        Conversations cut = Conversations.of(InterceptedCounterStore.after(store, "add", () -> {
            throw new OutcomeUnknownException("counters.add", null);
        }));
        assertThatThrownBy(() -> cut.add("talk", "ann")).isInstanceOf(OutcomeUnknownException.class);
        assertThat(conversations.get("ben", List.of("talk"))).containsExactly(1L);
        assertThat(conversations.last("talk")).isOne();
        conversations.remove("talk", 1);
        assertThat(conversations.get("ben", List.of("talk"))).containsExactly(0L);
    }

    @Test
    @DisplayName("give no number to a sender who is no member")
    void stranger() {
        conversations.join("talk", "ann");
        assertThatThrownBy(() -> conversations.add("talk", "ben")).isInstanceOf(NotAMemberException.class);
        assertThat(conversations.add("talk", "ann")).isOne();
        assertThat(conversations.get("ben", List.of("talk"))).containsExactly(0L);
    }
}
