package io.feedkit.bench.scale.register;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The cost of a hundred engines for a server whose register changes 200 times a second.
 *
 * @param server the server
 * @param feed the feed that is read
 * @param mostCpu the highest cost allowed, in % of a core
 */
record EngineLoad(SourceServer server, RegisterFeed feed, double mostCpu) {

    private static final int ENGINES = 100;
    private static final int READS_A_SECOND = 10;
    private static final double PERCENT = 100;
    private static final double NANOS_A_SECOND = 1e9;
    private static final int MOST_ROUNDS = 5;

    private interface Meter {
        /** The server's work so far. */
        double read();
    }

    List<Figure> figures(String measurement, Scale scale) {
        List<FeedEngine> engines = Stream.generate(() -> feed.engine(FeedEngineBuilder.DEFAULT_STALENESS))
                .limit(ENGINES)
                .toList();
        String what = measurement + ": CPU of " + ENGINES + " engines that are read from, beyond the writers'";
        Pace changes = new Pace(Pace.CHANGES_A_SECOND, feed::changeAny);
        Medians any = changes.during(() -> cpu(scale, engines));
        Medians few = new Pace(Pace.CHANGES_A_SECOND, feed::changeFew).during(() -> cpu(scale, engines));
        Medians calls = changes.during(
                () -> new Medians(during(scale, server::calls), whileRead(scale, engines, server::calls)));
        return List.of(
                figure(what + " (against theirs)", any, new Target.AtMost(mostCpu)),
                figure(what + ", authors of the readers change (against theirs)", few, Target.NONE),
                changes.figure(measurement + ": changes meanwhile"),
                Figure.of(
                        measurement + ": calls of " + ENGINES + " engines that nobody reads (against read from)",
                        "a second",
                        calls,
                        new Target.AtMost(0)));
    }

    private static Figure figure(String name, Medians cpu, Target target) {
        return new Figure(name, "% of a core", Math.max(0, cpu.value() - cpu.baseline()), cpu.baseline(), target);
    }

    private Medians cpu(Scale scale, List<FeedEngine> engines) {
        Meter percent = () -> PERCENT * server.cpuSeconds();
        return new Rounds(Math.min(MOST_ROUNDS, scale.rounds()), 1)
                .medians(() -> whileRead(scale, engines, percent), () -> during(scale, percent));
    }

    private static double whileRead(Scale scale, List<FeedEngine> engines, Meter meter) {
        AtomicInteger next = new AtomicInteger();
        Pace reads = new Pace(ENGINES * READS_A_SECOND, () -> {
            int read = next.getAndIncrement();
            RegisterFeed.first(engines.get(read % ENGINES), read / ENGINES);
        });
        return reads.during(() -> {
            // At first all engines' copies of the register are stale.
            HeapWatch.pause(FeedEngineBuilder.DEFAULT_STALENESS.toMillis());
            return during(scale, meter);
        });
    }

    /** The work in a second. */
    private static double during(Scale scale, Meter meter) {
        long start = System.nanoTime();
        double before = meter.read();
        HeapWatch.pause(scale.idle().toMillis());
        return (meter.read() - before) * NANOS_A_SECOND / (System.nanoTime() - start);
    }
}
