package io.feedkit.examples.microblog.web;

import java.time.Clock;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/** Ids in the order of time: milliseconds in the upper 48 bits, as clients sort by them. */
@Component
public class Snowflakes {

    private static final int SEQUENCE_BITS = 16;

    private final Clock clock;
    private final AtomicLong last = new AtomicLong();

    Snowflakes(Clock clock) {
        this.clock = clock;
    }

    /** The next id of this process. Ids of two processes differ by chance in the lower bits. */
    public long next() {
        long fresh = first(clock.millis()) + ThreadLocalRandom.current().nextInt(1 << (SEQUENCE_BITS - 1));
        return last.updateAndGet(previous -> Math.max(previous + 1, fresh));
    }

    public static long millis(long id) {
        return id >> SEQUENCE_BITS;
    }

    /** The lowest id of a millisecond. */
    public static long first(long millis) {
        return millis << SEQUENCE_BITS;
    }
}
