package io.feedkit.internal.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On the JDK of the build, threads are platform threads; on the newest one, they are virtual. */
@Tag("concurrency")
@Timeout(60)
@DisplayName("Threads for calls to the host's code")
class CallThreadsTest {

    private static final boolean VIRTUAL = Runtime.version().feature() >= 21;

    private final CallThreads threads = new CallThreads("calls");
    private final Set<Thread> used = ConcurrentHashMap.newKeySet();

    @Test
    @DisplayName("run each call at once, on a daemon thread with a name, which is virtual where the JDK has these")
    void atOnce() throws Exception {
        int calls = 100;
        CyclicBarrier together = new CyclicBarrier(calls + 1);
        for (int i = 0; i < calls; i++) {
            threads.execute(() -> {
                used.add(Thread.currentThread());
                meet(together);
            });
        }
        together.await(30, TimeUnit.SECONDS);
        assertThat(used)
                .hasSize(calls)
                .allMatch(Thread::isDaemon)
                .allMatch(thread -> thread.getName().startsWith("calls-"))
                .allMatch(thread -> thread.getClass().getSimpleName().equals("VirtualThread") == VIRTUAL);
        threads.close();
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("end at once when they are closed, except during a call")
    void close() {
        CountDownLatch end = new CountDownLatch(1);
        threads.execute(() -> used.add(Thread.currentThread()));
        threads.execute(() -> {
            used.add(Thread.currentThread());
            waitFor(end);
        });
        await().until(() -> !used.isEmpty());
        threads.close();
        end.countDown();
        await().atMost(5, TimeUnit.SECONDS).until(() -> used.stream().noneMatch(Thread::isAlive));
    }

    @Test
    @DisplayName("are bounded unless they are virtual")
    void bound() {
        CountDownLatch end = new CountDownLatch(1);
        try {
            for (int i = 0; i < CallThreads.MOST_PLATFORM_THREADS; i++) {
                threads.execute(() -> waitFor(end));
            }
            if (VIRTUAL) {
                threads.execute(() -> waitFor(end));
            } else {
                assertThatThrownBy(() -> threads.execute(() -> waitFor(end)))
                        .isInstanceOf(RejectedExecutionException.class);
            }
        } finally {
            end.countDown();
            threads.close();
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
