package io.feedkit.testservers.survival;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** How often a fault is made, and at what moment. */
public final class Rounds {

    private static final int FACTOR = Integer.getInteger("feedkit.survival.rounds", 1);

    private Rounds() {}

    /**
     * So many rounds, or as many times more as the system property {@code feedkit.survival.rounds} says.
     *
     * @param usual how many usually
     * @return how many
     */
    public static int of(int usual) {
        return usual * FACTOR;
    }

    /**
     * Lets some time pass, so that what follows happens at any point of what others do.
     *
     * @param random chooses how much
     * @param mostMillis the most
     */
    public static void moment(RandomGenerator random, int mostMillis) {
        LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(mostMillis)));
    }
}
