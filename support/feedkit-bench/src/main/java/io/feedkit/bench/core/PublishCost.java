package io.feedkit.bench.core;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.fanout.FanoutPolicy;
import java.util.List;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * The effect of the number of followers on a publish: posts of the star and of an author with ten followers,
 * alternately.
 */
final class PublishCost implements Measurement {

    private static final String FEW = "few";
    private static final int FEW_FOLLOWERS = 10;
    private static final int PUBLISHES = 5000;
    private static final int MAX_ROUNDS = 7;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final Target TARGET = new Target.RatioAtMost(1.5);

    @Override
    public String name() {
        return "publish";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        return List.of(
                figure(scale, "p50 with very many followers", settings -> settings.workers(0)),
                figure(scale, "p50 with very many followers, workers busy", UnaryOperator.identity()),
                figure(
                        scale,
                        "p50 with very many followers, pulled",
                        settings -> settings.workers(0).policy(FanoutPolicy.hybrid(scale.followers()))));
    }

    private Figure figure(Scale scale, String what, UnaryOperator<FeedEngineBuilder> settings) {
        try (StarFeed feed = new StarFeed(scale.followers(), 0, settings)) {
            feed.graph().follow(FEW, 0, FEW_FOLLOWERS);
            Alternation alternation = new Alternation(feed.engine());
            Rounds rounds = Rounds.of(scale);
            Medians medians = new Rounds(Math.min(MAX_ROUNDS, rounds.count()), rounds.warmUps())
                    .medians(alternation::star, alternation::few);
            return Figure.of(name() + ": " + what + " (against 10)", "us", medians, TARGET);
        }
    }

    /** Publishes alternately, and returns one median after the other. Used by one thread. */
    private static final class Alternation {
        private final FeedEngine engine;
        private int published;
        private final Histogram star = new Histogram(3);
        private final Histogram few = new Histogram(3);

        Alternation(FeedEngine engine) {
            this.engine = engine;
        }

        double star() {
            return take(star);
        }

        double few() {
            return take(few);
        }

        private double take(Histogram wanted) {
            if (wanted.getTotalCount() == 0) {
                publish();
            }
            double median = wanted.getValueAtPercentile(50) / NANOS_PER_MICRO;
            wanted.reset();
            return median;
        }

        private void publish() {
            for (int i = 0; i < PUBLISHES; i++) {
                String id = String.format("few%09d", published++);
                boolean starFirst = i % 2 == 0;
                long start = System.nanoTime();
                engine.publish(starFirst ? StarFeed.STAR : FEW, id);
                long middle = System.nanoTime();
                engine.publish(starFirst ? FEW : StarFeed.STAR, id);
                long end = System.nanoTime();
                star.recordValue(starFirst ? middle - start : end - middle);
                few.recordValue(starFirst ? end - middle : middle - start);
            }
        }
    }
}
