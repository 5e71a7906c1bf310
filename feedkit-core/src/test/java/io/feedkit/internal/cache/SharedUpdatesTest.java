package io.feedkit.internal.cache;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Shared updates")
class SharedUpdatesTest {

    private static final int THREADS = 32;
    private static final int CALLS_EACH = 100;

    @Test
    @DisplayName("serve all threads that wait, also those that come again at once")
    void shared() throws Exception {
        AtomicInteger updates = new AtomicInteger();
        SharedUpdates shared = new SharedUpdates(authors -> {
            updates.incrementAndGet();
            LockSupport.parkNanos(MICROSECONDS.toNanos(500));
        });
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            running.add(threads.submit(() -> {
                for (int call = 0; call < CALLS_EACH; call++) {
                    shared.await(Set.of(), () -> true);
                }
            }));
        }
        for (Future<?> thread : running) {
            thread.get();
        }
        threads.shutdown();

        assertThat(updates.get()).isBetween(CALLS_EACH, THREADS * CALLS_EACH / 4);
    }
}
