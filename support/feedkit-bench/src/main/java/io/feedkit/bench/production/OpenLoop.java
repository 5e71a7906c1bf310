package io.feedkit.bench.production;

import io.feedkit.bench.Callers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Calls that are due at a steady pace, however long earlier calls take. So a stall delays all calls that are due
 * meanwhile, as it would delay users.
 *
 * @param perSecond how many calls are due in a second
 * @param threads threads that make the calls in turn
 */
record OpenLoop(int perSecond, int threads) {

    private static final long NANOS_A_SECOND = TimeUnit.SECONDS.toNanos(1);

    /** A call. */
    interface Call {

        /**
         * Makes the call.
         *
         * @param number the number of the call, from 0 on
         * @param due when it was due, as of {@link System#nanoTime}
         */
        void make(int number, long due);
    }

    /** How many calls are due in a time, at least one for each thread. */
    int due(Duration time) {
        return (int) Math.max(threads, perSecond * time.toMillis() / 1000);
    }

    /** Makes the calls that are due in a time. */
    void run(Duration time, Call call) {
        int count = due(time);
        long start = System.nanoTime();
        List<Integer> numbers = IntStream.range(0, threads).boxed().toList();
        new Callers(threads, Duration.ZERO).forEach(numbers, first -> {
            for (int number = first; number < count; number += threads) {
                long due = start + number * NANOS_A_SECOND / perSecond;
                waitUntil(due);
                call.make(number, due);
            }
        });
    }

    private static void waitUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
