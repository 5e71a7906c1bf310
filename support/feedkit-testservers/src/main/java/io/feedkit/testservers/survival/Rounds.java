package io.feedkit.testservers.survival;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** How often faults are made, and at which moments. */
public final class Rounds {

    private static final int FACTOR = Integer.getInteger("feedkit.survival.rounds", 1);

    private Rounds() {}

    /**
     * Returns a number of rounds, multiplied by the system property {@code feedkit.survival.rounds} if it is set.
     *
     * @param usual the usual number
     * @return how many
     */
    public static int of(int usual) {
        return usual * FACTOR;
    }

    /**
     * Waits for a random time, so that the next fault happens at a random point of the work of others.
     *
     * @param random the source of random numbers
     * @param mostMillis the longest time
     */
    public static void moment(RandomGenerator random, int mostMillis) {
        LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(mostMillis)));
    }
}
