package io.feedkit.bench.live;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.core.PacedReaders;
import io.feedkit.bench.core.PacedReaders.Latencies;
import io.feedkit.bench.live.PacedPosts.Latency;
import io.feedkit.fanout.FanoutPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * A post to very many connected followers of one engine, and what other readers notice of it: the times of their pages
 * and events while the star publishes one post after the other, against an engine that is idle otherwise.
 */
final class StarEvents implements Measurement {

    private static final int PART = 100;
    private static final int SMALL_POSTS_A_SECOND = 100;
    private static final int POOL = 16;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final Target OTHERS = new Target.AtMostLarger(3, 5);

    private final List<Double> last = new ArrayList<>();
    private final List<Double> byHand = new ArrayList<>();
    private final List<Double> idlePages = new ArrayList<>();
    private final List<Double> busyPages = new ArrayList<>();
    private final List<Double> idleEvents = new ArrayList<>();
    private final List<Double> busyEvents = new ArrayList<>();

    @Override
    public String name() {
        return "star";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int followers = scale.followers() / PART;
        List<Figure> figures = new ArrayList<>();
        figures.addAll(figures(scale, followers, "pushed", FanoutPolicy.push()));
        figures.addAll(figures(scale, followers, "pulled", FanoutPolicy.hybrid(Math.max(2, followers / 2))));
        return figures;
    }

    private List<Figure> figures(Scale scale, int followers, String mode, FanoutPolicy policy) {
        List.of(last, byHand, idlePages, busyPages, idleEvents, busyEvents).forEach(List::clear);
        PacedPosts small = new PacedPosts(SMALL_POSTS_A_SECOND, StarReaders.FOLLOWERS);
        try (StarReaders readers = new StarReaders(followers, policy, small)) {
            round(readers, scale.idle());
            List.of(last, byHand, idlePages, busyPages, idleEvents, busyEvents).forEach(List::clear);
            for (int i = 0; i < scale.rounds(); i++) {
                round(readers, scale.idle());
                byHand.add(onPool(followers));
            }
        }
        String post = String.format("%s: %s post to %,d followers, ", name(), mode, followers);
        return List.of(
                figure(post + "last event (against a task for each on a pool)", last, byHand, Target.NONE),
                figure(post + "p99 of others' pages (against idle)", busyPages, idlePages, OTHERS),
                figure(post + "p99 of others' events (against idle)", busyEvents, idleEvents, OTHERS));
    }

    private static Figure figure(String name, List<Double> values, List<Double> baselines, Target target) {
        return Figure.of(name, "ms", new Medians(Rounds.median(values), Rounds.median(baselines)), target);
    }

    private void round(StarReaders readers, Duration time) {
        others(readers, time, idlePages, idleEvents);

        AtomicBoolean stopped = new AtomicBoolean();
        CompletableFuture<List<Double>> star = CompletableFuture.supplyAsync(() -> {
            List<Double> times = new ArrayList<>();
            while (times.isEmpty() || !stopped.get()) {
                times.add(readers.publish());
            }
            return times;
        });
        try {
            others(readers, time, busyPages, busyEvents);
        } finally {
            stopped.set(true);
        }
        last.add(Rounds.median(star.join()));
    }

    /** Reads pages of the others, and publishes to them, for a while. */
    private static void others(StarReaders readers, Duration time, List<Double> pages, List<Double> events) {
        PacedReaders paced = readers.pages();
        Latency[] latency = new Latency[1];
        PacedPosts small = readers.small();
        Latencies reads = paced.during(() -> latency[0] =
                small.publish(small.countFor(time, 1), StarReaders.WRITERS, List.of(readers::publishSmall)));
        pages.add(reads.ofCalls().getValueAtPercentile(99) / NANOS_PER_MILLI);
        events.add(latency[0].p99());
    }

    private static double onPool(int followers) {
        ExpectedEvents expected = new ExpectedEvents(followers);
        List<Runnable> subscribers = IntStream.range(0, followers)
                .mapToObj(i -> (Runnable) expected::arrived)
                .toList();
        ExecutorService pool = Executors.newFixedThreadPool(POOL);
        try {
            long start = System.nanoTime();
            subscribers.forEach(pool::execute);
            return (expected.await() - start) / NANOS_PER_MILLI;
        } finally {
            pool.shutdown();
        }
    }
}
