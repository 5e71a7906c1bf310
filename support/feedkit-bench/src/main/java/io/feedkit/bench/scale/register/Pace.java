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
import java.util.function.Supplier;

/** Calls at a steady pace, on some threads, while other code runs. */
final class Pace {

    /** The number of changes of a register in a second. */
    static final int CHANGES_A_SECOND = 200;

    private static final double ENOUGH = 0.95;
    private static final int THREADS = 4;
    private static final long NANOS_A_SECOND = 1_000_000_000;

    private final int perSecond;
    private final Runnable call;
    private final AtomicInteger made = new AtomicInteger();
    private double seconds;

    Pace(int perSecond, Runnable call) {
        this.perSecond = perSecond;
        this.call = call;
    }

    /** Makes calls while something is measured, and fails if a call fails. */
    <T> T during(Supplier<T> measured) {
        ScheduledExecutorService executor = Executors.newScheduledThreadPool(THREADS);
        long start = System.nanoTime();
        List<Future<?>> threads = begin(executor);
        try {
            return measured.get();
        } finally {
            seconds += (System.nanoTime() - start) / (double) NANOS_A_SECOND;
            end(executor, threads);
        }
    }

    /** The calls a second that were made, against the intended number. */
    Figure figure(String name) {
        return new Figure(
                name + " (against " + perSecond + ")",
                "a second",
                made.get() / seconds,
                perSecond,
                new Target.RatioAtLeast(ENOUGH));
    }

    private List<Future<?>> begin(ScheduledExecutorService executor) {
        List<Future<?>> threads = new ArrayList<>();
        long period = NANOS_A_SECOND * THREADS / perSecond;
        for (int i = 0; i < THREADS; i++) {
            threads.add(executor.scheduleAtFixedRate(
                    () -> {
                        call.run();
                        made.incrementAndGet();
                    },
                    period * i / THREADS,
                    period,
                    TimeUnit.NANOSECONDS));
        }
        return threads;
    }

    private static void end(ScheduledExecutorService executor, List<Future<?>> threads) {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("a call must not take a minute");
            }
            for (Future<?> thread : threads) {
                if (!thread.isCancelled()) {
                    thread.get();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a call failed", e);
        }
    }
}
