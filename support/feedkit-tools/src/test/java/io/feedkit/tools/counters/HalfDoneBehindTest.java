package io.feedkit.tools.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.OutcomeUnknownException;
import io.feedkit.StoreUnavailableException;
import io.feedkit.counter.Counters;
import io.feedkit.redis.WriteBehindCounterStore;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Raise;
import io.feedkit.spi.counter.CounterWrites.When;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import io.feedkit.unread.UnreadCounter;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A call that changed something in Redis, and not in SQL")
@Timeout(120)
class HalfDoneBehindTest {

    private final CountersBehind behind = new CountersBehind();

    @AfterEach
    void close() {
        behind.close();
    }

    /** A store whose source fails at the first call of a method. */
    private WriteBehindCounterStore failingAt(String method) {
        return behind.store(behind.before(method, () -> {
            throw new StoreUnavailableException(method, new IllegalStateException("on purpose"));
        }));
    }

    private static void isHalfDone(CounterStore store, Consumer<CounterStore> call) {
        assertThatThrownBy(() -> call.accept(store)).isInstanceOf(OutcomeUnknownException.class);
        call.accept(store);
    }

    @Test
    @DisplayName("has an unknown outcome, and is finished by the same call")
    void halfDone() {
        Counters.of(behind.store(behind.sql())).add("plays", "song", 3);
        CellKey cell = new CellKey(new Owner(Space.COUNTERS, "song"), "plays");
        isHalfDone(failingAt("removeCells"), store -> store.removeCells(List.of(cell)));
        UnreadCounter.of(behind.store(behind.sql())).add(List.of("ann"), "like", 3);
        WriteBehindCounterStore forgetting = failingAt("forget");
        isHalfDone(forgetting, store -> UnreadCounter.of(store).forget(List.of("ann")));
        isHalfDone(failingAt("removeMembers"), store -> store.removeMembers(cell.owner(), List.of("a")));
        assertThat(UnreadCounter.of(forgetting).get("ann").total()).isZero();
        assertThat(Counters.of(forgetting).get("plays", "song")).isZero();
    }

    @Test
    @DisplayName("says that nothing was done if Redis has nothing to do with it, or was not reached yet")
    void nothingDone() {
        Owner talks = new Owner(Space.CONVERSATIONS, "ann");
        assertThatThrownBy(() -> failingAt("forget").forget(List.of(talks)))
                .isInstanceOf(StoreUnavailableException.class);
        CellKey cell = new CellKey(new Owner(Space.DOTS, "ann"), "seen/dot");
        List<Raise> raises = List.of(
                new Raise(cell, 1, 0, Optional.empty(), When.ALWAYS).writtenBehind(),
                new Raise(cell, 2, 0, Optional.empty(), When.ALWAYS));
        WriteBehindCounterStore store = failingAt("raise");
        assertThatThrownBy(() -> store.raise(raises)).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.cell(cell).mark()).isEmpty();
    }
}
