package io.feedkit.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.memory.InMemoryCounterStore;
import io.feedkit.spi.counter.CellKey;
import io.feedkit.spi.counter.CounterStore;
import io.feedkit.spi.counter.CounterWrites.Add;
import io.feedkit.spi.counter.Owner;
import io.feedkit.spi.counter.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Counters that are loaded")
class CountersLoadTest {

    private static final int THREADS = 1000;

    private final Counters counters = Counters.of(InMemoryCounterStore.create());

    @Test
    @DisplayName("are loaded once, and keep what was added before, meanwhile and after")
    void once() {
        counters.add("shares", "p", 1);
        List<Long> loaded = counters.getOrLoad("shares", List.of("p", "q"), ids -> {
            counters.add("shares", "p", 10);
            return Map.of("p", 100L);
        });
        assertThat(loaded).containsExactly(111L, 0L);
        counters.add("shares", "p", 1000);
        assertThat(counters.getOrLoad("shares", List.of("q", "p"), ids -> {
                    throw new IllegalStateException("asked again for " + ids);
                }))
                .containsExactly(0L, 1111L);
        counters.load("shares", Map.of("p", 7L, "r", 8L));
        assertThat(counters.get("shares", List.of("p", "r"))).containsExactly(1111L, 8L);
    }

    @Test
    @DisplayName("are loaded once for a thousand threads")
    void together() throws Exception {
        AtomicInteger loads = new AtomicInteger();
        CountDownLatch started = new CountDownLatch(THREADS);
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<List<Long>>> calls = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                calls.add(() -> {
                    started.countDown();
                    return counters.getOrLoad("shares", List.of("p"), ids -> {
                        loads.incrementAndGet();
                        await(started);
                        return Map.of("p", 5L);
                    });
                });
            }
            for (Future<List<Long>> call : pool.invokeAll(calls)) {
                assertThat(call.get()).containsExactly(5L);
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(loads).hasValue(1);
    }

    private static void await(CountDownLatch started) {
        try {
            assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("are not loaded again by a thread that saw them cold before another had loaded them")
    void late() {
        AtomicInteger loads = new AtomicInteger();
        AtomicReference<Runnable> afterRead = new AtomicReference<>(() -> {});
        CounterStore slow = InterceptedCounterStore.after(
                InMemoryCounterStore.create(),
                "read",
                () -> afterRead.getAndSet(() -> {}).run());
        Counters late = Counters.of(slow);
        afterRead.set(() -> late.getOrLoad("shares", List.of("p"), ids -> {
            loads.incrementAndGet();
            return Map.of("p", 5L);
        }));
        assertThat(late.getOrLoad("shares", List.of("p"), ids -> {
                    loads.incrementAndGet();
                    return Map.of("p", 6L);
                }))
                .containsExactly(5L);
        assertThat(loads).hasValue(1);
    }

    @Test
    @DisplayName("hold at most what fits")
    void most() {
        CounterStore store = InMemoryCounterStore.create();
        store.add(List.of(
                new Add(new CellKey(new Owner(Space.COUNTERS, "p"), "shares"), Long.MAX_VALUE - 1, Optional.empty())));
        Counters.of(store).load("shares", Map.of("p", Counters.MAX_LOADED));
        assertThat(Counters.of(store).get("shares", "p")).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    @DisplayName("are loaded by the next call when the loader fails")
    void failed() {
        assertThatThrownBy(() -> counters.getOrLoad("shares", List.of("p"), ids -> {
                    throw new IllegalStateException("down");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("down");
        assertThatThrownBy(() -> counters.getOrLoad("shares", List.of("p"), ids -> Map.of("p", -1L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("value must be between 0 and");
        assertThat(counters.getOrLoad("shares", List.of("p"), ids -> Map.of("p", 3L)))
                .containsExactly(3L);
    }
}
