package io.feedkit.bench.live.presence;

import io.feedkit.FeedEngine;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.memory.InMemoryFeedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Very many readers who are online on one engine: what a server keeps of them, and how long it takes. */
public final class PresenceCost implements Measurement {

    private static final int PART = 10;
    private static final int ASKED = 1000;
    private static final int MAX_ROUNDS = 3;
    private static final Duration INTERVAL = Duration.ofHours(1);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final String server;
    private final String hand;
    private final Supplier<PresenceGround> ground;

    private PresenceCost(String server, String hand, Supplier<PresenceGround> ground) {
        this.server = server;
        this.hand = hand;
        this.ground = ground;
    }

    /** Measures Redis. */
    public static PresenceCost inRedis() {
        return new PresenceCost("Redis", "one sorted set", RedisGround::new);
    }

    /** Measures PostgreSQL. */
    public static PresenceCost inPostgres() {
        return new PresenceCost("PostgreSQL", "a table with one column more", PostgresGround::new);
    }

    @Override
    public String name() {
        return "presence in " + server;
    }

    @Override
    public List<Figure> measure(Scale scale) {
        List<String> readers = IntStream.range(0, scale.followers() / PART)
                .mapToObj(MadeUpGraph::user)
                .toList();
        try (PresenceGround server = ground.get()) {
            ReportedStore store = new ReportedStore(server.store());
            try (FeedEngine engine = engine(store);
                    FeedEngine other = engine(store)) {
                List<Figure> figures = figures(scale, readers, server, engine, other);
                store.end();
                return figures;
            }
        }
    }

    private List<Figure> figures(
            Scale scale, List<String> readers, PresenceGround server, FeedEngine engine, FeedEngine other) {
        HandPresence byHand = server.byHand();
        long empty = server.bytes();
        readers.forEach(reader -> engine.presence().connect(reader));
        awaitReported(engine, readers.size());
        long reported = server.bytes();
        report(byHand, readers);
        long reportedByHand = server.bytes();

        Rounds rounds = new Rounds(Math.min(MAX_ROUNDS, scale.rounds()), 0);
        Medians writes = rounds.medians(
                () -> readers.size() / seconds(() -> engine.presence().announce()),
                () -> readers.size() / seconds(() -> report(byHand, readers)));
        List<String> asked = asked(readers);
        Clocked clock = Clocked.of(scale);
        Medians questions = Rounds.of(scale)
                .medians(
                        () -> clock.millis(() ->
                                requireAll(asked, other.presence().online(asked).size())),
                        () -> clock.millis(() -> requireAll(asked, byHand.online(asked))));
        return List.of(
                figure(readers, "reports", "readers/s", writes),
                figure(
                        readers,
                        "a reader",
                        "bytes",
                        new Medians(
                                (double) (reported - empty) / readers.size(),
                                (double) (reportedByHand - reported) / readers.size())),
                figure(readers, "which of " + asked.size() + " are online", "ms", questions));
    }

    private Figure figure(List<String> readers, String what, String unit, Medians medians) {
        return Figure.of(
                String.format("%s: %,d online, %s (against %s)", name(), readers.size(), what, hand),
                unit,
                medians,
                Target.NONE);
    }

    /** An engine that reports only when it is told to, apart from the first report. */
    private static FeedEngine engine(ReportedStore store) {
        return FeedEngine.builder(InMemoryFeedStore.create())
                .presence(store)
                .presence(presence -> presence.interval(INTERVAL))
                .workers(0)
                .build();
    }

    private static void awaitReported(FeedEngine engine, int readers) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (engine.presence().count() < readers) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(readers + " readers must be online, but only "
                        + engine.presence().count() + " are");
            }
            HeapWatch.pause(100);
        }
    }

    private static void report(HandPresence byHand, List<String> readers) {
        long until = System.currentTimeMillis() + 2 * INTERVAL.toMillis();
        for (int from = 0; from < readers.size(); from += HandPresence.AT_ONCE) {
            byHand.report(readers.subList(from, Math.min(readers.size(), from + HandPresence.AT_ONCE)), until);
        }
    }

    private static double seconds(Runnable body) {
        return Clocked.once(body) / 1000;
    }

    /** Readers from the whole list, at equal distances. */
    private static List<String> asked(List<String> readers) {
        List<String> asked = new ArrayList<>();
        int count = Math.min(ASKED, readers.size());
        for (int i = 0; i < count; i++) {
            asked.add(readers.get((int) ((long) readers.size() * i / count)));
        }
        return asked;
    }

    private static void requireAll(List<String> asked, int online) {
        if (online != asked.size()) {
            throw new IllegalStateException(asked.size() + " readers must be online, but " + online + " are");
        }
    }
}
