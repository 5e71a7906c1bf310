package io.feedkit.bench.scale.register;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Changes that go on at a steady pace until this is closed. */
final class SteadyChanges implements AutoCloseable {

    /** How many changes are made in a second. */
    static final int PER_SECOND = 200;

    private static final double ENOUGH = 0.95;
    private static final int THREADS = 4;
    private static final long NANOS_A_SECOND = 1_000_000_000;
    private static final long PERIOD_NANOS = NANOS_A_SECOND * THREADS / PER_SECOND;

    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(THREADS);
    private final List<Future<?>> threads = new ArrayList<>();
    private final AtomicInteger made = new AtomicInteger();
    private final long start = System.nanoTime();

    private SteadyChanges(Runnable change) {
        for (int i = 0; i < THREADS; i++) {
            threads.add(executor.scheduleAtFixedRate(
                    () -> {
                        change.run();
                        made.incrementAndGet();
                    },
                    PERIOD_NANOS * i / THREADS,
                    PERIOD_NANOS,
                    TimeUnit.NANOSECONDS));
        }
    }

    /** Begins with some changes, each of them 200 times a second. */
    static SteadyChanges of(Runnable... changes) {
        return new SteadyChanges(() -> List.of(changes).forEach(Runnable::run));
    }

    /** How many changes a second were made so far, against how many there are to be. */
    Figure figure(String measurement) {
        double rate = made.get() * (double) NANOS_A_SECOND / (System.nanoTime() - start);
        Target target = new Target.RatioAtLeast(ENOUGH);
        return new Figure(measurement + ": changes meanwhile (against 200)", "changes/s", rate, PER_SECOND, target);
    }

    /** Ends the changes, and fails if one of them failed. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("a change must not take a minute");
            }
            for (Future<?> thread : threads) {
                if (!thread.isCancelled()) {
                    thread.get();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a change failed", e);
        }
    }
}
