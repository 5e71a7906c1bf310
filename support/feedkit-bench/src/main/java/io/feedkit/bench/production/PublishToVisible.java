package io.feedkit.bench.production;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The time from when a post was due until the inboxes of its twenty followers have it: at 500 posts a second, and the
 * highest rate at which it stays below a second for 99 % of the posts.
 */
final class PublishToVisible implements Measurement {

    private static final int POSTS_A_SECOND = 500;
    private static final int HIGHEST = 64_000;
    private static final int STEPS_BETWEEN = 3;
    private static final int MOST_SEARCHES = 3;
    private static final double SECOND = 1000;
    private static final int LONGER = 2;
    private static final String SQL = "SQL alone";

    @Override
    public String name() {
        return "visible";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        try (Shape production = Shape.production();
                Shape sql = Shape.sqlAlone();
                VisiblePosts posts = new VisiblePosts(production);
                VisiblePosts sqlPosts = new VisiblePosts(sql)) {
            Duration time = scale.idle().multipliedBy(LONGER);
            List<Figure> figures = new ArrayList<>(steady(scale, time, posts, sqlPosts));
            figures.add(highest(scale, time, posts, sqlPosts));
            return figures;
        }
    }

    private List<Figure> steady(Scale scale, Duration time, VisiblePosts posts, VisiblePosts sqlPosts) {
        List<Latency> values = new ArrayList<>();
        List<Latency> baselines = new ArrayList<>();
        for (int round = -1; round < scale.rounds(); round++) {
            Latency value = posts.publish(POSTS_A_SECOND, time);
            Latency baseline = sqlPosts.publish(POSTS_A_SECOND, time);
            if (round >= 0) {
                values.add(value);
                baselines.add(baseline);
            }
        }
        return Latency.figures(
                name() + ": " + POSTS_A_SECOND + " posts/s",
                SQL,
                values,
                baselines,
                Target.NONE,
                new Target.AtMost(SECOND));
    }

    private Figure highest(Scale scale, Duration time, VisiblePosts posts, VisiblePosts sqlPosts) {
        Rounds rounds = new Rounds(Math.min(MOST_SEARCHES, scale.rounds()), 0);
        return Figure.of(
                name() + ": highest rate with a p99 below a second (against " + SQL + ")",
                "posts/s",
                rounds.medians(() -> highest(posts, time), () -> highest(sqlPosts, time)),
                new Target.AtLeast(POSTS_A_SECOND));
    }

    /** Doubles the rate while it holds, and then halves the distance to the rate that did not. */
    private static double highest(VisiblePosts posts, Duration time) {
        int holds = 1;
        int fails = POSTS_A_SECOND;
        while (fails <= HIGHEST && holds(posts, fails, time)) {
            holds = fails;
            fails *= 2;
        }
        for (int step = 0; step < STEPS_BETWEEN; step++) {
            int between = (holds + fails) / 2;
            if (holds(posts, between, time)) {
                holds = between;
            } else {
                fails = between;
            }
        }
        return holds;
    }

    private static boolean holds(VisiblePosts posts, int perSecond, Duration time) {
        return posts.publish(perSecond, time).p99() < SECOND;
    }
}
