package io.feedkit.bench.jdbc;

import io.feedkit.FeedEngine;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.jdbc.JdbcFeedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The time of a publish, against a bare transaction with the same two rows, and the effect of the number of followers.
 * No workers run.
 */
final class PublishCost implements Measurement {

    private static final String FEW = "few";
    private static final String STAR = "star";
    private static final int FEW_FOLLOWERS = 10;
    private static final int FOLLOWERS_PART = 10;
    private static final int LEAST_PAIRS = 20;
    private static final Target OF_BARE = new Target.RatioAtMost(1.5);
    private static final Target OF_FEW = new Target.RatioAtMost(1.2);

    private final Optional<String> url;
    private int published;

    PublishCost(Optional<String> url) {
        this.url = url;
    }

    @Override
    public String name() {
        return "publish";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int followers = scale.followers() / FOLLOWERS_PART;
        try (BenchDatabase database = BenchDatabase.open(url)) {
            FollowLoad.follow(database, STAR, followers);
            FollowLoad.follow(database, FEW, FEW_FOLLOWERS);
            database.settle("follow", "follow_count");
            try (JdbcFeedStore store = database.store();
                    FeedEngine push = FeedEngine.builder(store).workers(0).build();
                    FeedEngine hybrid = FeedEngine.builder(store)
                            .policy(FanoutPolicy.hybrid(2L * followers))
                            .workers(0)
                            .build();
                    HandPublish hand = new HandPublish(database)) {
                return List.of(
                        figure(
                                scale,
                                "p50 (against a bare transaction)",
                                id -> push.publish(FEW, id),
                                id -> hand.publish(FEW, id),
                                OF_BARE),
                        figure(
                                scale,
                                "p50 with very many followers (against 10)",
                                id -> push.publish(STAR, id),
                                id -> push.publish(FEW, id),
                                OF_FEW),
                        figure(
                                scale,
                                "p50 with very many followers, counted (against 10)",
                                id -> hybrid.publish(STAR, id),
                                id -> hybrid.publish(FEW, id),
                                OF_FEW));
            }
        }
    }

    private Figure figure(Scale scale, String what, Consumer<String> publish, Consumer<String> other, Target target) {
        Paired pairs = new Paired(() -> inTurns(scale.window(), publish, other));
        return Figure.of(name() + ": " + what, "ms", Rounds.of(scale).medians(pairs::value, pairs::baseline), target);
    }

    private Medians inTurns(Duration window, Consumer<String> publish, Consumer<String> other) {
        List<Double> values = new ArrayList<>();
        List<Double> baselines = new ArrayList<>();
        long end = System.nanoTime() + 2 * window.toNanos();
        while (values.size() < LEAST_PAIRS || System.nanoTime() < end) {
            if (values.size() % 2 == 0) {
                values.add(time(publish));
                baselines.add(time(other));
            } else {
                baselines.add(time(other));
                values.add(time(publish));
            }
        }
        return new Medians(Rounds.median(values), Rounds.median(baselines));
    }

    private double time(Consumer<String> publish) {
        String id = String.format("%018d", published++);
        return Clocked.once(() -> publish.accept(id));
    }
}
