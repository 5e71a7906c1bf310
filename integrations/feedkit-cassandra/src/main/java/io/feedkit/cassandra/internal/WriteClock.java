package io.feedkit.cassandra.internal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The timestamps of writes, by which Cassandra decides which of two writes stays. Each is later than the one before in
 * this process, so later writes win whatever the session's own generator does.
 */
public final class WriteClock {

    private static final AtomicLong LAST = new AtomicLong();

    private WriteClock() {}

    /** Returns microseconds since the epoch. */
    public static long next() {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        return LAST.accumulateAndGet(now, (last, present) -> Math.max(last + 1, present));
    }
}
