package io.feedkit.testkit.broken;

import io.feedkit.live.LiveBus;
import io.feedkit.memory.InMemoryLiveBus;
import io.feedkit.testkit.LiveBusCompatibilityKit;
import io.feedkit.testkit.forwarding.ForwardingLiveBus;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A bus as two processes see it, made anew for each test of the kit.
 *
 * @param view what the bus under test is made of, to cut it off and to close it
 * @param bus the bus under test
 * @param another the bus as another process sees it: broken in the same way, on the same sound one
 * @param separate the sound bus of another deployment
 * @param longestWait how long tests of the contract wait for what may never come
 * @param publishingTime how long tests of engines publish
 */
record BusBench(
        BusView view, LiveBus bus, LiveBus another, LiveBus separate, Duration longestWait, Duration publishingTime) {

    /** A bus that pauses is back before the end. */
    private static final Duration LONGER_THAN_A_PAUSE = Duration.ofSeconds(6);

    /** Gives leaf tests their bench. */
    static final class Resolver implements ParameterResolver {

        private static final BusMutant SOUND =
                new BusMutant("passes calls on", "", (sound, separate, process) -> (ForwardingLiveBus) () -> sound);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == BusBench.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            InMemoryLiveBus sound = InMemoryLiveBus.create();
            LiveBus separate = InMemoryLiveBus.create();
            BusMutant mutant = context.getConfigurationParameter(Bench.MUTANT)
                    .map(BusMutants::named)
                    .orElse(SOUND);
            BusView view = new BusView(sound);
            LiveBus bus = mutant.breaking().apply(view, separate, 0);
            LiveBus another = mutant.breaking().apply(new BusView(sound), separate, 1);
            if (mutant.caughtBy().isEmpty()) {
                return new BusBench(view, bus, another, separate, Duration.ofSeconds(10), Duration.ofSeconds(1));
            }
            return new BusBench(view, bus, another, separate, Duration.ofMillis(500), LONGER_THAN_A_PAUSE);
        }
    }

    /** The kit, bound to whatever bus a run is about. It is not run by itself. */
    @ExtendWith(Resolver.class)
    static final class Buses extends LiveBusCompatibilityKit {
        private final BusBench bench;

        Buses(BusBench bench) {
            this.bench = bench;
        }

        @Override
        protected LiveBus bus() {
            return bench.bus();
        }

        @Override
        protected LiveBus anotherBus() {
            return bench.another();
        }

        @Override
        protected LiveBus separateBus() {
            return bench.separate();
        }

        @Override
        protected void close(LiveBus closing) {
            bench.view().close();
        }

        @Override
        protected void beginOutage() {
            bench.view().cut();
        }

        @Override
        protected void endOutage() {
            bench.view().restore();
        }

        @Override
        protected Duration longestWait() {
            return bench.longestWait();
        }

        @Override
        protected Duration longestCall() {
            return bench.longestWait();
        }

        @Override
        protected Duration quietTime() {
            return Duration.ofMillis(20);
        }

        @Override
        protected Duration publishingTime() {
            return bench.publishingTime();
        }
    }
}
