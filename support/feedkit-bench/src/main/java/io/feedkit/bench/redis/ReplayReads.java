package io.feedkit.bench.redis;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.bench.Callers;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.hand.BareReads;
import io.feedkit.bench.redis.hand.HandReplay;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Reads a second of the newest posts of one reader after the other, after a replay, and of commands that do less, each
 * against a sorted set of ids.
 *
 * @param engine reads by the engine
 * @param packed reads of lists with the same number of packed entries
 * @param nothing reads of a missing key
 */
record ReplayReads(Medians engine, Medians packed, Medians nothing) {

    static final int CALLERS = 4;
    static final int NEWEST = 50;

    static ReplayReads measure(
            Scale scale, BenchRedis redis, FeedEngine engine, HandReplay hand, List<String> readers) {
        try (BareReads bare = new BareReads(redis)) {
            readers.forEach(
                    reader -> bare.fill(reader, hand.newest(reader, NEWEST).size()));
            Consumer<String> sortedSet = reader -> hand.newest(reader, NEWEST);
            return new ReplayReads(
                    medians(scale, readers, reader -> engine.read(reader, PageRequest.first(NEWEST)), sortedSet),
                    medians(scale, readers, reader -> bare.newest(reader, NEWEST), sortedSet),
                    medians(scale, readers, reader -> bare.nothing(), sortedSet));
        }
    }

    private static Medians medians(
            Scale scale, List<String> readers, Consumer<String> read, Consumer<String> sortedSet) {
        Callers callers = new Callers(CALLERS, scale.window());
        AtomicInteger next = new AtomicInteger();
        return Rounds.of(scale)
                .medians(
                        () -> callers.perSecond(chance -> read.accept(inTurn(readers, next))),
                        () -> callers.perSecond(chance -> sortedSet.accept(inTurn(readers, next))));
    }

    private static String inTurn(List<String> readers, AtomicInteger next) {
        return readers.get(Math.floorMod(next.getAndIncrement(), readers.size()));
    }
}
