package io.feedkit.testkit;

import java.time.Duration;

/**
 * The base of the kits for stores with a clock: how time passes, and how often tests of races repeat.
 *
 * <p>Kits never sleep and never read this machine's clock. They ask the store under test for its time, and let it pass
 * through {@link #pass}. A store that takes a {@link java.time.Clock} gets a {@link SettableClock}. If a store's clock
 * cannot be set, {@code pass} has to wait; then {@link #shortTime()}, {@link #longTime()} and {@link #waits()} keep the
 * waits short.
 *
 * <p>JUnit creates an instance of the leaf test for each test. Every test expects an empty store.
 *
 * @since 0.1.0
 */
public abstract class CompatibilityKit {

    /** For kits. */
    protected CompatibilityKit() {}

    /**
     * Lets time pass on the store's clock.
     *
     * @param duration the least time to pass
     */
    protected abstract void pass(Duration duration);

    /**
     * Reads the store's clock: the one that measures its leases and live windows.
     *
     * @return milliseconds since the epoch
     */
    protected abstract long now();

    /**
     * The length of leases, live windows and delays that tests let run out. Tests of behaviour within that time make a
     * few calls in less than a quarter of it.
     *
     * @return 10 seconds, unless overridden; something near one second suits a store that has to wait
     */
    protected Duration shortTime() {
        return Duration.ofSeconds(10);
    }

    /**
     * The time that tests let pass to show that data does not expire.
     *
     * @return 400 days, unless overridden
     */
    protected Duration longTime() {
        return Duration.ofDays(400);
    }

    /**
     * Returns whether {@link #pass} really waits. If so, randomised tests, which otherwise let time pass often, do not
     * let it pass.
     *
     * @return false, unless overridden
     */
    protected boolean waits() {
        return false;
    }

    /**
     * How many threads race in tests of atomicity.
     *
     * @return 4, unless overridden
     */
    protected int threads() {
        return 4;
    }

    /**
     * How often tests of atomicity repeat a race whose outcome is not certain.
     *
     * @return 25, unless overridden
     */
    protected int rounds() {
        return 25;
    }
}
