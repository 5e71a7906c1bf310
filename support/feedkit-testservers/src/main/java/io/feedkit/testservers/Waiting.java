package io.feedkit.testservers;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for changes that servers make by themselves. */
final class Waiting {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int POLL_MILLIS = 20;

    private Waiting() {}

    /** Waits until a condition holds. If a server does not answer, the condition does not hold. */
    static void until(String what, BooleanSupplier reached) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!holds(reached)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("this did not happen within " + LIMIT + ": " + what);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting: " + what, e);
            }
        }
    }

    private static boolean holds(BooleanSupplier reached) {
        try {
            return reached.getAsBoolean();
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
