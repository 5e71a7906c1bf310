package io.feedkit.bench.scale.followees;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.redis.ground.BenchRedis;
import io.feedkit.redis.RedisFeedStore;
import io.feedkit.testservers.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;

/** Pages from Redis of readers with very many followees, against readers with a fiftieth of them. */
public final class ManyFollowees implements Measurement {

    private static final int CAP = 100;
    private static final int PAGE = 20;
    private static final int LARGE = 50_000;
    private static final int FEWER = 50;
    private static final int SMALLER = 10;
    private static final int AT_ONCE = 1000;
    private static final double FLAT = 1.5;

    @Override
    public String name() {
        return "followees";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        boolean isFull = scale.followers() >= Scale.FULL.followers();
        int many = isFull ? LARGE : LARGE / SMALLER;
        int few = many / FEWER;
        try (BenchRedis redis = new BenchRedis(Durability.FAST);
                RedisFeedStore store = redis.store();
                FeedEngine engine = engine(FeedEngine.builder(store).reading(reading -> reading.followeeCache(many)))) {
            fill(engine, many);
            follow(engine, "many", many);
            follow(engine, "few", few);
            follow(engine, "one-more", many + 1);
            Cursor belowMany = belowInbox(engine, "many");
            Cursor belowFew = belowInbox(engine, "few");
            String of = " of " + many + " followees";
            String against = " (against " + few + ")";
            List<Figure> figures = new ArrayList<>();
            figures.add(figure(
                    scale,
                    "first page" + of + ", remembered" + against,
                    () -> first(engine, "many"),
                    () -> first(engine, "few"),
                    new Target.RatioAtMost(FLAT)));
            figures.add(figure(
                    scale,
                    "first page of one followee more than the followee cache holds" + against,
                    () -> first(engine, "one-more"),
                    () -> first(engine, "few"),
                    new Target.RatioAtMost(FLAT)));
            try (FeedEngine forgetful =
                    engine(FeedEngine.builder(store).reading(reading -> reading.followeeCache(0)))) {
                figures.add(figure(
                        scale,
                        "first page" + of + ", not remembered" + against,
                        () -> first(forgetful, "many"),
                        () -> first(forgetful, "few"),
                        new Target.None()));
            }
            figures.add(figure(
                    scale,
                    "page below the inbox" + of + against,
                    () -> older(engine, "many", belowMany),
                    () -> older(engine, "few", belowFew),
                    new Target.None()));
            return figures;
        }
    }

    private static FeedEngine engine(FeedEngineBuilder builder) {
        return builder.workers(0).cap(CAP).build();
    }

    /** Publishes two posts of each author, before the follows. */
    private static void fill(FeedEngine engine, int authors) {
        for (int from = 0; from <= authors; from += AT_ONCE) {
            engine.publishAll(IntStream.range(from, Math.min(authors + 1, from + AT_ONCE))
                    .boxed()
                    .flatMap(n -> IntStream.of(1, 2).mapToObj(post -> Post.of(author(n), "p" + post, n * 2L + post)))
                    .toList());
        }
    }

    private static String author(int number) {
        return "author-" + number;
    }

    private static void follow(FeedEngine engine, String reader, int authors) {
        for (int from = 0; from < authors; from += AT_ONCE) {
            engine.followAll(
                    reader,
                    IntStream.range(from, Math.min(authors, from + AT_ONCE))
                            .mapToObj(ManyFollowees::author)
                            .toList());
        }
    }

    private static Cursor belowInbox(FeedEngine engine, String reader) {
        return engine.read(reader, PageRequest.first(CAP)).older().orElseThrow();
    }

    private static double first(FeedEngine engine, String reader) {
        return Clocked.once(() -> engine.read(reader, PageRequest.first(PAGE)));
    }

    private static double older(FeedEngine engine, String reader, Cursor cursor) {
        return Clocked.once(() -> engine.read(reader, PageRequest.older(cursor, PAGE)));
    }

    private Figure figure(Scale scale, String what, DoubleSupplier value, DoubleSupplier baseline, Target target) {
        return Figure.of(name() + ": " + what, "ms", Rounds.of(scale).medians(value, baseline), target);
    }
}
