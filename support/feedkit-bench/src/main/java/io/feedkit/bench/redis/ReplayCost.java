package io.feedkit.bench.redis;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.RecordedWeek;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.ground.KeyMemory;
import io.feedkit.bench.redis.hand.HandDurableReplay;
import io.feedkit.bench.redis.hand.HandReplay;
import io.feedkit.testservers.Durability;
import io.feedkit.tools.replay.Recording;
import io.feedkit.tools.replay.Recording.Replayed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A recorded week, replayed with outboxes and a fan-out log on the server, against a program that writes only the same
 * inboxes. Both feeds must be the same.
 */
final class ReplayCost implements Measurement {

    private static final int MOST_ROUNDS = 3;
    private static final int WORKERS = 4;
    private static final double MEGABYTE = 1 << 20;
    private static final double MILLIS_PER_SECOND = 1000;

    private static final Target OF_TIME = new Target.RatioAtMost(1.5);
    private static final Target OF_MEMORY = new Target.RatioAtMost(1.0 / 3);
    private static final Target OF_READS = new Target.RatioAtLeast(2);

    /**
     * Seconds that other libraries took for the same follows and posts, none of them durably, on another day; Redis
     * 7.0.15, two cores shared with one client, the best of three.
     */
    private static final Map<String, Double> PEERS = new TreeMap<>(Map.of(
            "simple-feed (Ruby)", 56.4,
            "simple-feed with hiredis (Ruby)", 29.1,
            "Stream-Framework (Python)", 139.1,
            "luminocean/mailbox (Java, Lua)", 11.6));

    /** The number of entries that the other libraries wrote. */
    private static final double PEERS_ENTRIES = 602_487;

    private final Optional<Recording> recording;

    private record Round(Medians seconds, Medians durable, Medians entries, Medians megabytes, ReplayReads reads) {}

    /**
     * Creates the measurement.
     *
     * @throws IllegalArgumentException if the directory lacks a file
     */
    ReplayCost(Optional<Path> data) {
        recording = data.map(RecordedWeek::in);
    }

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public Optional<String> lacks() {
        return recording.isPresent() ? Optional.empty() : Optional.of(RecordedWeek.NEEDED);
    }

    @Override
    public List<Figure> measure(Scale scale) {
        Recording week = recording.orElseThrow();
        Map<String, Set<String>> followers = week.followers();
        List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < Math.min(MOST_ROUNDS, scale.rounds()); i++) {
            rounds.add(round(scale, week, followers));
        }
        List<Figure> figures = new ArrayList<>(List.of(
                figure("push, durable (against a pipeline by hand)", "s", OF_TIME, rounds, Round::seconds),
                figure("durable by hand (against a pipeline by hand)", "s", Target.NONE, rounds, Round::durable),
                figure("inbox entries written (of the same)", "entries", Target.NONE, rounds, Round::entries),
                figure("all inboxes (against sorted sets of ids)", "MB", OF_MEMORY, rounds, Round::megabytes),
                reads("newest 50", OF_READS, rounds, ReplayReads::engine),
                reads("newest 50: LRANGE of as many packed entries", Target.NONE, rounds, ReplayReads::packed),
                reads("newest 50: GET of a key that is not there", Target.NONE, rounds, ReplayReads::nothing)));
        if (rounds.get(0).entries().baseline() == PEERS_ENTRIES) {
            figures.addAll(peers(figures.get(0).value()));
        }
        return figures;
    }

    private List<Figure> peers(double ours) {
        List<Figure> figures = new ArrayList<>();
        PEERS.forEach((peer, seconds) -> figures.add(new Figure(
                name() + ": as measured once, " + peer + " (against push, durable)", "s", seconds, ours, Target.NONE)));
        return figures;
    }

    private Figure reads(String what, Target target, List<Round> rounds, Function<ReplayReads, Medians> measured) {
        return figure(
                what + ", " + ReplayReads.CALLERS + " callers (against ZREVRANGE 0 49)",
                "reads/s",
                target,
                rounds,
                round -> measured.apply(round.reads()));
    }

    private Figure figure(
            String what, String unit, Target target, List<Round> rounds, Function<Round, Medians> measured) {
        List<Medians> all = rounds.stream().map(measured).toList();
        Medians medians = new Medians(
                Rounds.median(all.stream().map(Medians::value).toList()),
                Rounds.median(all.stream().map(Medians::baseline).toList()));
        return Figure.of(name() + ": " + what, unit, medians, target);
    }

    private static Round round(Scale scale, Recording week, Map<String, Set<String>> followers) {
        List<String> readers =
                followers.values().stream().flatMap(Set::stream).distinct().toList();
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                HandReplay hand = new HandReplay(redis, followers)) {
            AtomicLong handEntries = new AtomicLong();
            double handSeconds = Clocked.once(() -> handEntries.set(hand.replay(week))) / MILLIS_PER_SECOND;
            double durableSeconds = durable(week, followers, hand, readers);
            List<Medians> memory = new ArrayList<>();
            List<ReplayReads> reads = new ArrayList<>();
            Replayed replayed = week.replay(redis.uri().toURI().toString(), WORKERS, engine -> {
                requireSame(readers, hand, reader -> newest(engine, reader));
                memory.add(megabytes(redis));
                reads.add(ReplayReads.measure(scale, redis, engine, hand, readers));
            });
            return new Round(
                    new Medians(replayed.took().toMillis() / MILLIS_PER_SECOND, handSeconds),
                    new Medians(durableSeconds, handSeconds),
                    new Medians(replayed.deliveries(), handEntries.get()),
                    memory.get(0),
                    reads.get(0));
        }
    }

    /** The seconds of a replay by hand that survives the program's end, on a server of its own. */
    private static double durable(
            Recording week, Map<String, Set<String>> followers, HandReplay hand, List<String> readers) {
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                HandDurableReplay durable = new HandDurableReplay(redis, followers)) {
            double seconds = Clocked.once(() -> durable.replay(week)) / MILLIS_PER_SECOND;
            requireSame(readers, hand, reader -> durable.newest(reader, ReplayReads.NEWEST));
            return seconds;
        }
    }

    /** Checks that the feeds are the same, because figures of different feeds cannot be compared. */
    private static void requireSame(List<String> readers, HandReplay hand, Function<String, List<String>> otherwise) {
        for (String reader : readers) {
            List<String> page = otherwise.apply(reader);
            List<String> byHand = hand.newest(reader, ReplayReads.NEWEST);
            if (!page.equals(byHand)) {
                throw new IllegalStateException(
                        "the feed of " + reader + " must be the same both ways, but is " + page + " and " + byHand);
            }
        }
    }

    private static List<String> newest(FeedEngine engine, String reader) {
        return engine.read(reader, PageRequest.first(ReplayReads.NEWEST)).items().stream()
                .map(Post::id)
                .toList();
    }

    private static Medians megabytes(BenchRedis redis) {
        double ours = KeyMemory.bytes(redis, key -> key.contains(":inbox:") || key.contains(":notes:"));
        return new Medians(ours / MEGABYTE, KeyMemory.bytes(redis, HandReplay::holds) / MEGABYTE);
    }
}
