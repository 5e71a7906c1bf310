package io.feedkit.bench.jdbc;

import io.feedkit.FeedEngine;
import io.feedkit.Post;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.jdbc.JdbcTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The time of many posts in one call, in a transaction of the host on a connection that it keeps, commit included,
 * against a call without a transaction. Also the time of the posts one by one in the transaction. No workers run.
 */
final class BatchCost implements Measurement {

    private static final int POSTS = 500;
    private static final int AUTHORS = 50;
    private static final int LEAST_PAIRS = 10;

    private final Optional<String> url;
    private int published;

    BatchCost(Optional<String> url) {
        this.url = url;
    }

    @Override
    public String name() {
        return "batch";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        try (BenchDatabase database = BenchDatabase.open(url);
                JdbcFeedStore store = database.store();
                FeedEngine engine = FeedEngine.builder(store).workers(0).build();
                Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            return List.of(
                    figure(
                            scale,
                            POSTS + " posts in a transaction (against publishAll alone)",
                            posts -> within(connection, transaction -> engine.publishAll(posts, transaction)),
                            engine::publishAll,
                            new Target.RatioAtMost(1.5)),
                    figure(
                            scale,
                            POSTS + " posts in a transaction, one by one (against publishAll alone)",
                            posts -> within(
                                    connection,
                                    transaction -> posts.forEach(post -> engine.publish(post, transaction))),
                            engine::publishAll,
                            Target.NONE));
        } catch (SQLException e) {
            throw new IllegalStateException("the host's connection failed", e);
        }
    }

    private static void within(Connection connection, Consumer<JdbcTransaction> publish) {
        Sql.run(() -> {
            publish.accept(JdbcTransaction.of(connection));
            connection.commit();
        });
    }

    private Figure figure(
            Scale scale, String what, Consumer<List<Post>> publish, Consumer<List<Post>> other, Target target) {
        Paired pairs = new Paired(() -> inTurns(scale.window(), publish, other));
        return Figure.of(name() + ": " + what, "ms", Rounds.of(scale).medians(pairs::value, pairs::baseline), target);
    }

    private Medians inTurns(Duration window, Consumer<List<Post>> publish, Consumer<List<Post>> other) {
        List<Double> values = new ArrayList<>();
        List<Double> baselines = new ArrayList<>();
        long end = System.nanoTime() + window.toNanos();
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

    private double time(Consumer<List<Post>> publish) {
        int first = published;
        published += POSTS;
        long now = System.currentTimeMillis();
        List<Post> posts = IntStream.range(first, published)
                .mapToObj(n -> Post.of("author-" + n % AUTHORS, String.format("%018d", n), now))
                .toList();
        return Clocked.once(() -> publish.accept(posts));
    }
}
