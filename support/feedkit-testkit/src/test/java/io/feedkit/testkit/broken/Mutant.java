package io.feedkit.testkit.broken;

import io.feedkit.memory.InMemoryFeedStore;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FeedStore;
import io.feedkit.spi.Inbox;
import io.feedkit.spi.PulledRegister;
import io.feedkit.spi.RankSnapshots;
import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.TransactionalOutbox;
import io.feedkit.spi.WritableFollowGraph;
import io.feedkit.testkit.SettableClock;
import java.util.function.BiFunction;

/**
 * A store that breaks the contract in one way.
 *
 * @param name what it does wrong
 * @param kit the leaf test that binds the kit which must notice
 * @param caughtBy the test that must fail, as its nested class and method
 * @param breaking makes the broken store of a sound one
 */
record Mutant(
        String name, Class<?> kit, String caughtBy, BiFunction<InMemoryFeedStore, SettableClock, FeedStore> breaking) {

    /** Breaks one part of a store; some faults need the store's clock. */
    interface Breaking<T> extends BiFunction<T, SettableClock, T> {}

    static Mutant inbox(String name, String caughtBy, Breaking<Inbox> breaking) {
        return new Mutant(
                name,
                Leaves.Inboxes.class,
                caughtBy,
                (sound, clock) -> FeedStore.of(
                        sound.outbox(),
                        limits -> breaking.apply(sound.inbox(limits), clock),
                        sound.graph(),
                        sound.seenMarks()));
    }

    static Mutant outbox(String name, String caughtBy, Breaking<TransactionalOutbox> breaking) {
        return outbox(name, Leaves.Outboxes.class, caughtBy, breaking);
    }

    static Mutant log(String name, String caughtBy, Breaking<FanoutLog> breaking) {
        return outbox(name, Leaves.Logs.class, caughtBy, (sound, clock) -> {
            FanoutLog broken = breaking.apply(sound.fanout(), clock);
            return new Parts.AnOutbox(sound) {
                @Override
                public FanoutLog fanout() {
                    return broken;
                }
            };
        });
    }

    static Mutant register(String name, String caughtBy, Breaking<PulledRegister> breaking) {
        return outbox(name, Leaves.Registers.class, caughtBy, (sound, clock) -> {
            PulledRegister broken = breaking.apply(sound.pulled(), clock);
            return new Parts.AnOutbox(sound) {
                @Override
                public PulledRegister pulled() {
                    return broken;
                }
            };
        });
    }

    static Mutant outbox(String name, Class<?> kit, String caughtBy, Breaking<TransactionalOutbox> breaking) {
        return new Mutant(
                name,
                kit,
                caughtBy,
                (sound, clock) -> FeedStore.of(
                        breaking.apply(sound.outbox(), clock), sound::inbox, sound.graph(), sound.seenMarks()));
    }

    static Mutant graph(String name, String caughtBy, Breaking<WritableFollowGraph> breaking) {
        return new Mutant(
                name,
                Leaves.Graphs.class,
                caughtBy,
                (sound, clock) -> FeedStore.of(
                        sound.outbox(), sound::inbox, breaking.apply(sound.graph(), clock), sound.seenMarks()));
    }

    static Mutant seenMarks(String name, String caughtBy, Breaking<SeenMarks> breaking) {
        return new Mutant(
                name,
                Leaves.Unreads.class,
                caughtBy,
                (sound, clock) -> FeedStore.of(
                        sound.outbox(), sound::inbox, sound.graph(), breaking.apply(sound.seenMarks(), clock)));
    }

    static Mutant rankSnapshots(String name, String caughtBy, Breaking<RankSnapshots> breaking) {
        return new Mutant(
                name,
                Leaves.Ranks.class,
                caughtBy,
                (sound, clock) -> FeedStore.of(
                        sound.outbox(),
                        sound::inbox,
                        sound.graph(),
                        sound.seenMarks(),
                        breaking.apply(sound.rankSnapshots().orElseThrow(), clock)));
    }

    @Override
    public String toString() {
        return kit.getSimpleName() + ": " + name;
    }
}
