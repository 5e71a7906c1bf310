package io.feedkit.bench.jdbc;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.Post;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.jdbc.JdbcFeedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** An import of five posts by each of many authors until all inboxes have them, against publishing the same posts. */
final class ImportCost implements Measurement {

    private static final int POSTS_EACH = 5;
    private static final int READERS = 200;
    private static final int FOLLOWEES = 50;
    private static final int AT_ONCE = 1000;
    private static final long START = TimeUnit.DAYS.toMillis(365 * 50);
    private static final Target TARGET = new Target.RatioAtMost(1);

    private final Optional<String> url;
    private int imports;

    ImportCost(Optional<String> url) {
        this.url = url;
    }

    @Override
    public String name() {
        return "import";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int authors = scale.followers() >= Scale.FULL.followers() ? 2000 : 200;
        try (BenchDatabase database = BenchDatabase.open(url);
                JdbcFeedStore store = database.store();
                FeedEngine engine = FeedEngine.builder(store).workers(0).build()) {
            for (int reader = 0; reader < READERS; reader++) {
                int first = reader * authors / READERS;
                engine.followAll(
                        "reader" + reader,
                        IntStream.range(first, first + FOLLOWEES)
                                .mapToObj(n -> "author" + n % authors)
                                .toList());
                engine.read("reader" + reader, PageRequest.first(20));
            }
            return List.of(Figure.of(
                    name() + ": " + authors * POSTS_EACH + " posts by " + authors
                            + " authors (against publishing them)",
                    "ms",
                    Rounds.of(scale)
                            .medians(
                                    () -> millis(engine, authors, engine::importPosts),
                                    () -> millis(engine, authors, posts -> publish(engine, posts))),
                    TARGET));
        }
    }

    private static void publish(FeedEngine engine, List<Post> posts) {
        for (int from = 0; from < posts.size(); from += AT_ONCE) {
            engine.publishAll(posts.subList(from, Math.min(posts.size(), from + AT_ONCE)));
        }
    }

    private double millis(FeedEngine engine, int authors, Consumer<List<Post>> importing) {
        imports++;
        List<Post> posts = new ArrayList<>();
        for (int post = 0; post < POSTS_EACH; post++) {
            for (int author = 0; author < authors; author++) {
                posts.add(Post.of("author" + author, imports + "-" + post, START + imports * 10_000L + posts.size()));
            }
        }
        return Clocked.once(() -> {
            importing.accept(posts);
            engine.fanout().drain();
        });
    }
}
