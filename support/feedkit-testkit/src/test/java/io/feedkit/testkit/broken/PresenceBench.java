package io.feedkit.testkit.broken;

import io.feedkit.memory.InMemoryPresenceStore;
import io.feedkit.spi.PresenceStore;
import io.feedkit.testkit.PresenceStoreCompatibilityKit;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.forwarding.ForwardingPresenceStore;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A presence store under test and its clock, made anew for each test of the kit. */
record PresenceBench(SettableClock clock, PresenceStore store) {

    /** Gives leaf tests their bench. */
    static final class Resolver implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == PresenceBench.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
            PresenceStore sound = InMemoryPresenceStore.create(clock);
            PresenceStore store = context.getConfigurationParameter(Bench.MUTANT)
                    .map(name -> PresenceMutants.named(name).breaking().apply(sound, clock))
                    .orElse((ForwardingPresenceStore) () -> sound);
            return new PresenceBench(clock, store);
        }
    }

    /** The kit, bound to whatever store a run is about. It is not run by itself. */
    @ExtendWith(Resolver.class)
    static final class Presences extends PresenceStoreCompatibilityKit {
        private final PresenceBench bench;

        Presences(PresenceBench bench) {
            this.bench = bench;
        }

        @Override
        protected PresenceStore presence() {
            return bench.store();
        }

        @Override
        protected void pass(Duration duration) {
            bench.clock().advance(duration);
        }

        @Override
        protected long now() {
            return bench.clock().millis();
        }
    }
}
