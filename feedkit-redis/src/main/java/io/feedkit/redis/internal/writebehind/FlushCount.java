package io.feedkit.redis.internal.writebehind;

import io.feedkit.counter.WriteBehindStatus;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/** Counts the flushes of a store. Thread-safe: flushes may run at the same time. */
final class FlushCount {

    private final LongAdder written = new LongAdder();
    private final LongAdder failures = new LongAdder();

    /** When the last flush that succeeded began; at first, when the store was created. */
    private final AtomicLong begin = new AtomicLong(System.nanoTime());

    /** Runs a flush, which returns how much it has written. */
    int count(IntSupplier flush) {
        long now = System.nanoTime();
        int flushed;
        try {
            flushed = flush.getAsInt();
        } catch (Throwable e) {
            failures.increment();
            throw e;
        }
        written.add(flushed);
        begin.accumulateAndGet(now, (one, other) -> other - one > 0 ? other : one);
        return flushed;
    }

    WriteBehindStatus status(boolean redisReachable) {
        return WriteBehindStatus.builder()
                .written(written.sum())
                .failures(failures.sum())
                .age(Duration.ofNanos(System.nanoTime() - begin.get()))
                .cacheReachable(redisReachable)
                .build();
    }
}
