package io.feedkit.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Views")
class ViewsTest {

    private static final Duration WINDOW = Duration.ofHours(1);

    @Test
    @DisplayName("that began before a post was forgotten do not let a later one count twice")
    void forgottenPost() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        CounterStore store = InMemoryCounterStore.create();
        Views views = Views.of(store, WINDOW, Clock.systemUTC());
        Views late = Views.of(
                InterceptedCounterStore.after(
                        store, "read", () -> meanwhile.getAndSet(() -> {}).run()),
                WINDOW,
                Clock.systemUTC());
        meanwhile.set(() -> {
            views.forgetPost("p");
            assertThat(views.add("ann", "p")).isTrue();
        });
        assertThat(late.add("ann", "p")).isFalse();
        assertThat(views.add("ann", "p")).isFalse();
        assertThat(views.get(List.of("p"))).containsExactly(1L);
    }

    @Test
    @DisplayName("have no window that is longer than the store keeps them")
    void window() {
        CounterStore memory = InMemoryCounterStore.create();
        CounterStore store = (CounterStore) Proxy.newProxyInstance(
                CounterStore.class.getClassLoader(),
                new Class<?>[] {CounterStore.class},
                (self, method, arguments) ->
                        method.getName().equals("viewsKept") ? Optional.of(WINDOW) : method.invoke(memory, arguments));
        assertThat(Views.of(store, WINDOW, Clock.systemUTC()).add("ann", "p")).isTrue();
        assertThatThrownBy(() -> Views.of(store, WINDOW.plusMillis(1), Clock.systemUTC()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("window must be at most PT1H, because the store keeps views for that time (viewsKept,"
                        + " idleKept), but is PT1H0.001S");
        assertThat(memory.viewsKept()).contains(Duration.ofDays(30));
    }

    @Test
    @DisplayName("are removed from memory when they are old")
    void purged() {
        AtomicLong now = new AtomicLong();
        InstantSource time = () -> Instant.ofEpochMilli(now.get());
        Clock clock = time.withZone(ZoneOffset.UTC);
        InMemoryCounterStore store = InMemoryCounterStore.create(clock);
        Views views = Views.of(store, WINDOW, clock);
        views.add("ann", "p");
        now.addAndGet(WINDOW.toMillis());
        views.add("ann", "q");
        views.add("ben", "p");
        assertThat(store.purgeViews(WINDOW)).isOne();
        assertThat(store.members(new Owner(Space.VIEWS, "ann"))).hasSize(1);
        assertThat(views.get(List.of("p", "q"))).containsExactly(2L, 1L);
    }
}
