package io.feedkit.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.CounterStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Views")
class ViewsTest {

    private static final Duration WINDOW = Duration.ofHours(1);

    @Test
    @DisplayName("that began before a post was dropped do not let a later one count twice")
    void dropped() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        CounterStore store = InMemoryCounterStore.create();
        Views views = Views.of(store, WINDOW, Clock.systemUTC());
        Views late = Views.of(
                InterceptedCounterStore.after(
                        store, "read", () -> meanwhile.getAndSet(() -> {}).run()),
                WINDOW,
                Clock.systemUTC());
        meanwhile.set(() -> {
            views.drop("p");
            assertThat(views.add("ann", "p")).isTrue();
        });
        assertThat(late.add("ann", "p")).isFalse();
        assertThat(views.add("ann", "p")).isFalse();
        assertThat(views.counts(List.of("p"))).containsExactly(1L);
    }
}
