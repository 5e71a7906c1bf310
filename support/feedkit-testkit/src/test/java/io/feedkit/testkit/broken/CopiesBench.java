package io.feedkit.testkit.broken;

import io.feedkit.memory.InMemoryInboxCopies;
import io.feedkit.spi.InboxCopies;
import io.feedkit.testkit.InboxCopiesCompatibilityKit;
import io.feedkit.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A store of copies under test and its clock, made anew for each test of the kit. */
record CopiesBench(SettableClock clock, InboxCopies copies) {

    /** Gives leaf tests their bench. */
    static final class Resolver implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == CopiesBench.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
            InboxCopies sound = InMemoryInboxCopies.create(clock);
            InboxCopies copies = context.getConfigurationParameter(Bench.MUTANT)
                    .map(name -> CopiesMutants.named(name).breaking().apply(sound, clock))
                    .orElse(sound);
            return new CopiesBench(clock, copies);
        }
    }

    /** The kit, bound to the store under test. Surefire does not run it. */
    @ExtendWith(Resolver.class)
    static final class Copies extends InboxCopiesCompatibilityKit {
        private final CopiesBench bench;

        Copies(CopiesBench bench) {
            this.bench = bench;
        }

        @Override
        protected InboxCopies copies() {
            return bench.copies();
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
