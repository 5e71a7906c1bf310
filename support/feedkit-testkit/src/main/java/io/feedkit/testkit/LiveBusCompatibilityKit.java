package io.feedkit.testkit;

import io.feedkit.live.LiveBus;
import io.feedkit.testkit.internal.bus.BusClosingRules;
import io.feedkit.testkit.internal.bus.BusConcurrencyRules;
import io.feedkit.testkit.internal.bus.BusDeliveryRules;
import io.feedkit.testkit.internal.bus.BusEngineRules;
import io.feedkit.testkit.internal.bus.BusKit;
import io.feedkit.testkit.internal.bus.BusOutageRules;
import io.feedkit.testkit.internal.bus.BusRegistrationRules;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of {@link LiveBus} as tests. A bus may lose, repeat or reorder messages, since engines survive that. But
 * each such message makes connected readers read their feeds. So a bus whose servers work is expected to deliver every
 * message once, and those of each sender in their order.
 *
 * <p>The tests of engines hold for every bus, also for one that fails all other tests.
 *
 * <p>Buses on servers are asynchronous, and have no clock that can be set. Tests wait at most {@link #longestWait()}
 * for an expected event. They wait {@link #quietTime()} to show that nothing happens. JUnit creates an instance of the
 * leaf test for each test.
 *
 * @since 0.1.0
 */
public abstract class LiveBusCompatibilityKit {

    /** For leaf tests. */
    protected LiveBusCompatibilityKit() {}

    /**
     * Returns the bus under test. The leaf test closes it after the test, if it can be closed; tests may close it
     * before.
     *
     * @return the bus, the same within a test
     */
    protected abstract LiveBus bus();

    /**
     * Returns the bus as another process sees it: an object of its own, with connections of its own, for the same
     * messages. A backend overrides this, unless its buses are in this process. The leaf test closes it.
     *
     * @return the bus under test, unless overridden
     */
    protected LiveBus anotherBus() {
        return bus();
    }

    /**
     * Returns the bus of another deployment: on the same servers, with another name. The leaf test closes it.
     *
     * @return a bus that does not share messages with {@link #bus()}, the same within a test
     */
    protected abstract LiveBus separateBus();

    /**
     * Closes a bus. Unless overridden, the tests of closing are reported as skipped.
     *
     * @param bus {@link #bus()}, possibly closed already
     */
    protected void close(LiveBus bus) {
        Assumptions.abort("the bus cannot be closed");
    }

    /**
     * Cuts the connections of {@link #bus()}, and refuses new ones until {@link #endOutage}. Unless overridden, the
     * tests of outages are reported as skipped.
     */
    protected void beginOutage() {
        Assumptions.abort("the bus cannot be made unreachable");
    }

    /** Lets the bus connect again. Does nothing if there is no outage. */
    protected void endOutage() {}

    /**
     * How long to wait for an event before a test fails.
     *
     * @return 20 seconds, unless overridden
     */
    protected Duration longestWait() {
        return Duration.ofSeconds(20);
    }

    /**
     * How long a test waits before it concludes that nothing will happen.
     *
     * @return 300 ms, unless overridden
     */
    protected Duration quietTime() {
        return Duration.ofMillis(300);
    }

    /**
     * The longest time that a call may take while the bus cannot be reached.
     *
     * @return 5 seconds, unless overridden; the bus under test should have short time-outs
     */
    protected Duration longestCall() {
        return Duration.ofSeconds(5);
    }

    /**
     * How long the tests of engines publish. A broken bus should break in this time.
     *
     * @return 2 seconds, unless overridden
     */
    protected Duration publishingTime() {
        return Duration.ofSeconds(2);
    }

    /**
     * How long after the last post the tests of engines wait for all posts.
     *
     * @return 15 seconds, unless overridden
     */
    protected Duration longestCatchUp() {
        return Duration.ofSeconds(15);
    }

    /**
     * How many threads send at the same time in tests of concurrency.
     *
     * @return 64, unless overridden
     */
    protected int threads() {
        return 64;
    }

    /** This kit as its rules see it. */
    private final class View implements BusKit {

        @Override
        public LiveBus bus() {
            return LiveBusCompatibilityKit.this.bus();
        }

        @Override
        public LiveBus anotherBus() {
            return LiveBusCompatibilityKit.this.anotherBus();
        }

        @Override
        public LiveBus separateBus() {
            return LiveBusCompatibilityKit.this.separateBus();
        }

        @Override
        public void close(LiveBus bus) {
            LiveBusCompatibilityKit.this.close(bus);
        }

        @Override
        public void beginOutage() {
            LiveBusCompatibilityKit.this.beginOutage();
        }

        @Override
        public void endOutage() {
            LiveBusCompatibilityKit.this.endOutage();
        }

        @Override
        public Duration longestWait() {
            return LiveBusCompatibilityKit.this.longestWait();
        }

        @Override
        public Duration quietTime() {
            return LiveBusCompatibilityKit.this.quietTime();
        }

        @Override
        public Duration longestCall() {
            return LiveBusCompatibilityKit.this.longestCall();
        }

        @Override
        public Duration publishingTime() {
            return LiveBusCompatibilityKit.this.publishingTime();
        }

        @Override
        public Duration longestCatchUp() {
            return LiveBusCompatibilityKit.this.longestCatchUp();
        }

        @Override
        public int threads() {
            return LiveBusCompatibilityKit.this.threads();
        }
    }

    @Nested
    @DisplayName("Delivery")
    class Delivery extends BusDeliveryRules {
        Delivery() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Registrations")
    class Registrations extends BusRegistrationRules {
        Registrations() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Outages")
    class Outages extends BusOutageRules {
        Outages() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Closing")
    class Closing extends BusClosingRules {
        Closing() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Concurrency")
    class Concurrency extends BusConcurrencyRules {
        Concurrency() {
            super(new View());
        }
    }

    @Nested
    @DisplayName("Engines on the bus")
    class Engines extends BusEngineRules {
        Engines() {
            super(new View());
        }
    }
}
