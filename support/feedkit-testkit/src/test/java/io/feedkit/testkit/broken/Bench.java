package io.feedkit.testkit.broken;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.EventRecording;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.testkit.SettableClock;
import io.feedkit.testkit.forwarding.ForwardingFeedStore;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A store, the sound one beneath it, and their clock, made anew for each test of a kit.
 *
 * @param another the store as another process sees it: broken in the same way, on the same sound one
 */
record Bench(SettableClock clock, InMemoryFeedStore sound, FeedStore store, FeedStore another) {

    /**
     * Names the mutant that a run of a kit is about; without it the store is sound, behind decorators that only pass
     * on.
     */
    static final String MUTANT = "feedkit.mutant";

    /** Gives leaf tests their bench. */
    static final class Resolver implements ParameterResolver {

        private static FeedStore passedOn(InMemoryFeedStore sound) {
            FanoutLog log = new Parts.ALog(sound.outbox().fanout()) {};
            PulledRegister register = new Parts.ARegister(sound.outbox().pulled()) {};
            Outbox outbox = new Parts.AnOutbox(sound.outbox()) {
                @Override
                public FanoutLog fanout() {
                    return log;
                }

                @Override
                public PulledRegister pulled() {
                    return register;
                }

                @Override
                public Optional<EventRecording> recordingEvents() {
                    EventRecording recording = sound.recordingEvents().orElseThrow();
                    TransactionalOutbox recorder = (TransactionalOutbox) recording.outbox();
                    return Optional.of(new EventRecording(
                            new Parts.AnOutbox(recorder) {}, new Parts.AnEventLog(recording.log()) {}));
                }
            };
            FeedStore parts = FeedStore.of(
                    outbox,
                    limits -> new Parts.AnInbox(sound.inbox(limits)) {},
                    new Parts.AGraph(sound.graph()) {},
                    new Parts.SomeMarks(sound.seenMarks()) {},
                    new Parts.SomeOrders(sound.rankSnapshots().orElseThrow()) {});
            ForwardingFeedStore whole = () -> parts;
            return whole;
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Bench.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
            InMemoryFeedStore sound = InMemoryFeedStore.create(clock);
            return context.getConfigurationParameter(MUTANT)
                    .map(name -> Mutants.named(name).breaking())
                    .map(breaking ->
                            new Bench(clock, sound, breaking.apply(sound, clock), breaking.apply(sound, clock)))
                    .orElseGet(() -> new Bench(clock, sound, passedOn(sound), passedOn(sound)));
        }
    }
}
