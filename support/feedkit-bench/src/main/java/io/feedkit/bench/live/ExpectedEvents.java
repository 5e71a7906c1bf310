package io.feedkit.bench.live;

import io.feedkit.bench.HeapWatch;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Waits until an expected number of events has arrived. Thread-safe. */
final class ExpectedEvents {

    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final long SETTLED_MILLIS = 5;

    private final long expected;
    private final AtomicLong arrived = new AtomicLong();
    private final CountDownLatch all = new CountDownLatch(1);
    private volatile long lastNanos;

    ExpectedEvents(long expected) {
        this.expected = expected;
    }

    void arrived() {
        if (arrived.incrementAndGet() == expected) {
            lastNanos = System.nanoTime();
            all.countDown();
        }
    }

    /**
     * Waits for the last event.
     *
     * @return when it arrived, by {@link System#nanoTime}
     * @throws IllegalStateException if too few events arrive
     */
    long await() {
        try {
            if (!all.await(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(expected + " events must arrive, but " + arrived.get() + " did");
            }
            return lastNanos;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for events", e);
        }
    }

    /**
     * Checks a little later that no event was repeated.
     *
     * @throws IllegalStateException if more events have arrived
     */
    void requireNoMore() {
        HeapWatch.pause(SETTLED_MILLIS);
        if (arrived.get() != expected) {
            throw new IllegalStateException(expected + " events must arrive, but " + arrived.get() + " did");
        }
    }
}
