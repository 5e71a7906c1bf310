package io.feedkit.bench.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.feedkit.bench.Callers;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.counter.Reactions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The likes a second that eight threads add to one post, against a thousand posts. Every like is new. */
final class LikeCost implements Measurement {

    private static final int THREADS = 8;
    private static final int POSTS = 1000;

    private final Optional<String> url;
    private final AtomicInteger likes = new AtomicInteger();

    LikeCost(Optional<String> url) {
        this.url = url;
    }

    @Override
    public String name() {
        return "likes";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        try (BenchDatabase database = BenchDatabase.open(url);
                HikariDataSource pool = database.pool()) {
            Reactions reactions = Reactions.of(database.counters(pool));
            return List.of(Figure.of(
                    name() + ": " + THREADS + " threads, one post (against " + POSTS + " posts)",
                    "likes/s",
                    Rounds.of(scale).medians(() -> like(scale, reactions, 1), () -> like(scale, reactions, POSTS)),
                    new Target.RatioAtLeast(0.7)));
        }
    }

    private double like(Scale scale, Reactions reactions, int posts) {
        return new Callers(THREADS, scale.window()).perSecond(chance -> {
            int number = likes.incrementAndGet();
            reactions.add("user-" + number, "post-" + posts + "-" + number % posts);
        });
    }
}
