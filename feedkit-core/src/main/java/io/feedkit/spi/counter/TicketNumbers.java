package io.feedkit.spi.counter;

import io.feedkit.internal.check.Arguments;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the numbers of tickets, for stores. A number is the time in milliseconds and some lower bits. Each number is
 * higher than the earlier ones of the same object. Numbers of several processes are in the order of the processes'
 * clocks. They differ, unless two tickets of one millisecond have the same lower bits by chance. Thread-safe.
 *
 * @since 0.1.0
 */
public final class TicketNumbers {

    /** How many lower bits fit into 63 bits beside the time, until 2089. */
    public static final int MOST_LOWER_BITS = 22;

    /** The beginning of 2020. */
    private static final long BEGINNING = 1_577_836_800_000L;

    private final int lowerBits;
    private final AtomicLong last = new AtomicLong();

    /**
     * Numbers with some lower bits.
     *
     * @param lowerBits how many, 2 to {@value #MOST_LOWER_BITS}
     */
    public TicketNumbers(int lowerBits) {
        this.lowerBits = Arguments.between("lowerBits", lowerBits, 2, MOST_LOWER_BITS);
    }

    /**
     * Makes a number.
     *
     * @return the number, at least 1
     */
    public long next() {
        long millis = Math.max(0, System.currentTimeMillis() - BEGINNING);
        // Numbers of one millisecond are made by counting up, so there must be space above the first one.
        long lower = ThreadLocalRandom.current().nextLong(1L << (lowerBits - 1));
        long first = (millis << lowerBits) + lower;
        return last.updateAndGet(before -> Math.max(before + 1, first));
    }
}
