package io.feedkit.testkit;

import java.time.Duration;

/**
 * What the kits for stores with a clock share: how time passes, and how hard to try where threads race.
 *
 * <p>Kits never sleep and never read this machine's clock. They ask the store under test for its time, and let it pass
 * through {@link #pass}. A store that takes a {@link java.time.Clock} gets a {@link SettableClock}; for one whose clock
 * cannot be set, {@code pass} has to wait, and {@link #shortTime()}, {@link #longTime()} and {@link #waits()} keep the
 * waiting bearable.
 *
 * <p>JUnit makes an instance of the leaf test for each test. Every test expects an empty store.
 */
public abstract class CompatibilityKit {

    /** For kits. */
    protected CompatibilityKit() {}

    /**
     * Lets the store's clock pass.
     *
     * @param duration by at least this much
     */
    protected abstract void pass(Duration duration);

    /**
     * Reads the store's clock: the one that measures its leases and live windows.
     *
     * @return milliseconds since the epoch
     */
    protected abstract long now();

    /**
     * A lease, live window or delay that tests let run out. Tests of what happens within it make a few calls in less
     * than a quarter of it.
     *
     * @return 10 seconds, unless overridden; something near one second suits a store that has to wait
     */
    protected Duration shortTime() {
        return Duration.ofSeconds(10);
    }

    /**
     * How long tests let pass to show that something is not forgotten with age.
     *
     * @return 400 days, unless overridden
     */
    protected Duration longTime() {
        return Duration.ofDays(400);
    }

    /**
     * Says whether {@link #pass} really waits. Randomised tests, which let time pass often, then leave time alone.
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
     * How often tests of atomicity repeat a race whose outcome is open.
     *
     * @return 25, unless overridden
     */
    protected int rounds() {
        return 25;
    }
}
