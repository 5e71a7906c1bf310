package io.feedkit.bench.redis;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.Callers;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.core.MadeUpGraph;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.bench.redis.ground.FullInboxes;
import io.feedkit.bench.redis.ground.PulledFeed;
import io.feedkit.bench.redis.hand.BareColdPage;
import io.feedkit.bench.redis.hand.TextbookFeed;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.testservers.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * First pages of very many readers, some of whose authors are pulled and post once a second. They are compared with one
 * command for a sorted set, and with the usual code written by hand.
 */
final class ReadCost implements Measurement {

    private static final int PART = 100;
    private static final int FEWEST = 2000;
    private static final int FULL_READERS = 100;
    private static final int DEPTH = 500;
    private static final int PAGE = 20;
    private static final int CALLERS = 16;
    private static final int MANY_PULLED = 50;
    private static final int[] PULLED = {0, MANY_PULLED, 200};
    private static final double[] OF_BARE = {1.5, 2, 3};

    private final SplittableRandom random = new SplittableRandom(1);

    @Override
    public String name() {
        return "read";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int readers = Math.max(FEWEST, scale.followers() / PART);
        List<String> ids =
                IntStream.range(0, readers).mapToObj(MadeUpGraph::user).toList();
        List<Figure> figures = new ArrayList<>();
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                RedisFeedStore store = redis.store();
                TextbookFeed textbook = new TextbookFeed(redis, MANY_PULLED)) {
            List<Post> pushed = FullInboxes.posts(FullInboxes.LIMITS.cap());
            textbook.fill(ids);
            for (int i = 0; i < PULLED.length; i++) {
                int pulled = PULLED[i];
                Target target = new Target.RatioAtMost(OF_BARE[i]);
                try (PulledFeed feed = new PulledFeed(store, pulled, FULL_READERS, readers, pushed)) {
                    Consumer<String> warm = reads(feed.warm());
                    Consumer<String> cold = reads(feed.cold());
                    Callers callers = new Callers(CALLERS, scale.window());
                    callers.forEach(ids, warm);
                    callers.forEach(ids, cold);
                    String what = pulled + " pulled authors (against ZREVRANGE 0 19)";
                    figures.add(p50(scale, "p50, warm, " + what, target, warm, ids, textbook));
                    figures.add(p50(scale, "p50, cold, " + what, target, cold, ids, textbook));
                    try (BareColdPage bare = new BareColdPage(redis, pulled)) {
                        figures.add(p50(
                                scale,
                                "p50, bare commands of a cold page, " + what,
                                Target.NONE,
                                bare::read,
                                ids,
                                textbook));
                    }
                    if (pulled == 0) {
                        figures.add(deep(scale, feed.warm()));
                    }
                    if (pulled == MANY_PULLED) {
                        figures.addAll(throughputs(scale, warm, cold, ids, textbook));
                    }
                }
            }
        }
        return figures;
    }

    private Figure p50(
            Scale scale, String what, Target target, Consumer<String> read, List<String> ids, TextbookFeed bare) {
        Clocked clocked = Clocked.of(scale);
        Rounds.Medians medians = Rounds.of(scale)
                .medians(
                        () -> clocked.millis(() -> read.accept(any(ids))),
                        () -> clocked.millis(() -> bare.newest(any(ids))));
        return Figure.of(name() + ": " + what, "ms", medians, target);
    }

    private Figure deep(Scale scale, FeedEngine engine) {
        List<String> full =
                IntStream.range(0, FULL_READERS).mapToObj(MadeUpGraph::user).toList();
        Cursor cursor =
                engine.read(full.get(0), PageRequest.first(DEPTH)).older().orElseThrow();
        Clocked clocked = Clocked.of(scale);
        Rounds.Medians medians = Rounds.of(scale)
                .medians(
                        () -> clocked.millis(() -> engine.read(any(full), PageRequest.older(cursor, PAGE))),
                        () -> clocked.millis(() -> read(engine, any(full))));
        return Figure.of(
                name() + ": p50 at the 500th entry (against the first page)", "ms", medians, new Target.RatioAtMost(3));
    }

    /** The throughputs. No page can be faster than a single command. */
    private List<Figure> throughputs(
            Scale scale, Consumer<String> warm, Consumer<String> cold, List<String> ids, TextbookFeed textbook) {
        String pulled = MANY_PULLED + " pulled authors";
        return List.of(
                throughput(scale, "warm, " + pulled, new Target.RatioAtLeast(50), warm, ids, textbook),
                throughput(scale, "cold, " + pulled, Target.NONE, cold, ids, textbook),
                throughput(scale, "one ZREVRANGE 0 19", Target.NONE, textbook::newest, ids, textbook));
    }

    private Figure throughput(
            Scale scale, String what, Target target, Consumer<String> read, List<String> ids, TextbookFeed textbook) {
        Callers callers = new Callers(CALLERS, scale.window());
        Rounds.Medians medians = Rounds.of(scale)
                .medians(
                        () -> callers.perSecond(chance -> read.accept(ids.get(chance.nextInt(ids.size())))),
                        () -> callers.perSecond(chance -> textbook.read(ids.get(chance.nextInt(ids.size())))));
        return Figure.of(
                name() + ": " + CALLERS + " callers, " + what + " (against a pool of 10 threads, a command an author)",
                "pages/s",
                medians,
                target);
    }

    private static Consumer<String> reads(FeedEngine engine) {
        return reader -> read(engine, reader);
    }

    private static void read(FeedEngine engine, String reader) {
        int found = engine.read(reader, PageRequest.first(PAGE)).items().size();
        if (found != PAGE) {
            throw new IllegalStateException("the page of " + reader + " must be full, but has " + found + " posts");
        }
    }

    private String any(List<String> ids) {
        return ids.get(random.nextInt(ids.size()));
    }
}
