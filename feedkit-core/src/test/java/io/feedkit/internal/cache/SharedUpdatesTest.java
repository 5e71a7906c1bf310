package io.feedkit.internal.cache;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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

    @Test
    @DisplayName("do not fail for others because the thread that ran one was interrupted")
    void interrupted() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger updates = new AtomicInteger();
        SharedUpdates shared = new SharedUpdates(authors -> {
            if (updates.incrementAndGet() == 1) {
                running.countDown();
                awaitQuietly(goOn);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted");
            }
        });
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<?> before = threads.submit(() -> shared.await(Set.of(), () -> true));
            assertThat(running.await(30, SECONDS)).isTrue();
            AtomicReference<Thread> leader = new AtomicReference<>();
            Future<?> first = threads.submit(() -> {
                leader.set(Thread.currentThread());
                shared.await(Set.of(), () -> true);
            });
            await().until(() -> leader.get() != null && leader.get().getState() == Thread.State.WAITING);
            Future<?> second = threads.submit(() -> shared.await(Set.of(), () -> true));
            leader.get().interrupt();
            await().until(() -> shared.waiting() == 2);
            goOn.countDown();
            before.get(30, SECONDS);
            assertThatThrownBy(() -> first.get(30, SECONDS)).hasRootCauseMessage("interrupted");
            second.get(30, SECONDS);
        } finally {
            goOn.countDown();
            threads.shutdownNow();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
