package io.feedkit.bench.redis;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.bench.core.PacedReaders;
import io.feedkit.bench.core.PacedReaders.Latencies;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.bench.redis.ground.StarRedis;
import io.feedkit.testservers.Durability;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** A post of an author with very many followers, all in Redis, while others read. Every tenth follower has an inbox. */
final class HugeFanout implements Measurement {

    private static final int OTHERS = 200;
    private static final double NANOS_PER_MILLI = 1e6;

    /** The default settings, and settings for hosts whose readers share their processors with the fan-out. */
    private static final List<Pace> PACES = List.of(
            new Pace(FeedEngineBuilder.DEFAULT_WORKERS, FeedEngineBuilder.DEFAULT_BATCH_SIZE), new Pace(1, 100));

    private int posts;

    private record Round(double speed, Latencies busy, Latencies idle) {}

    /** The settings that determine how fast an engine fans out. */
    private record Pace(int workers, int batchSize) {
        @Override
        public String toString() {
            return workers + (workers == 1 ? " worker" : " workers") + ", batches of " + batchSize;
        }
    }

    @Override
    public String name() {
        return "huge fan-out";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        List<Figure> figures = new ArrayList<>();
        try (StarRedis star = new StarRedis(scale, Durability.FAST)) {
            FullInboxes.fillEveryTenth(star.store().inbox(FullInboxes.LIMITS), star.followers());
            List<String> others = openOthers(star);
            for (Pace pace : PACES) {
                figures.addAll(measure(scale, star, others, pace));
            }
        }
        return figures;
    }

    /** Readers with full inboxes who do not follow the star. */
    private static List<String> openOthers(StarRedis star) {
        List<String> readers = IntStream.range(star.followers(), star.followers() + OTHERS)
                .mapToObj(MadeUpGraph::user)
                .toList();
        try (FeedEngine engine = FeedEngine.builder(star.store()).workers(0).build()) {
            engine.publishAll(FullInboxes.posts(FullInboxes.LIMITS.cap()));
            engine.fanout().drain();
            for (String reader : readers) {
                engine.followAll(reader, FullInboxes.authors());
                engine.read(reader, PageRequest.first(1));
            }
        }
        return readers;
    }

    private List<Figure> measure(Scale scale, StarRedis star, List<String> readers, Pace pace) {
        List<Round> rounds = new ArrayList<>();
        try (FeedEngine engine = FeedEngine.builder(star.store())
                .workers(pace.workers())
                .fanout(fanout -> fanout.batchSize(pace.batchSize()))
                .build()) {
            PacedReaders others = new PacedReaders(engine, readers);
            for (int i = -1; i < Math.min(3, scale.rounds()); i++) {
                Round round = round(scale, star, engine, others, posts++);
                if (i >= 0) {
                    rounds.add(round);
                }
            }
        }
        double speed = Rounds.median(rounds.stream().map(Round::speed).toList());
        return List.of(
                new Figure(
                        name() + ": followers handled, " + pace + " (against 50,000)",
                        "followers/s",
                        speed,
                        50_000,
                        new Target.AtLeast(50_000)),
                p99(rounds, "p99 of others' reads, " + pace, Latencies::ofCalls, new Target.AtMostLarger(3, 2)),
                p99(rounds, "p99 of others' reads since they were due, " + pace, Latencies::sinceDue, Target.NONE));
    }

    private Figure p99(List<Round> rounds, String what, Function<Latencies, Histogram> times, Target target) {
        return new Figure(
                name() + ": " + what + " (against idle)",
                "ms",
                Rounds.median(rounds.stream()
                        .map(round -> millis(times.apply(round.busy())))
                        .toList()),
                Rounds.median(rounds.stream()
                        .map(round -> millis(times.apply(round.idle())))
                        .toList()),
                target);
    }

    private static Round round(Scale scale, StarRedis star, FeedEngine engine, PacedReaders others, int number) {
        Latencies idle = others.during(() -> HeapWatch.pause(scale.idle().toMillis()));
        Queue<Long> nanos = new ArrayDeque<>();
        Latencies busy = others.during(() -> {
            long start = System.nanoTime();
            engine.publish(Post.of(StarRedis.STAR, FullInboxes.nextId(number), System.currentTimeMillis()));
            while (engine.fanout().backlog().tasks() > 0) {
                HeapWatch.pause(5);
            }
            nanos.add(System.nanoTime() - start);
        });
        return new Round(star.followers() * 1e9 / nanos.remove(), busy, idle);
    }

    private static double millis(Histogram nanos) {
        return nanos.getValueAtPercentile(99) / NANOS_PER_MILLI;
    }
}
