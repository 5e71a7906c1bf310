package io.feedkit.bench.jdbc;

import io.feedkit.Post;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.spi.Order;
import io.feedkit.spi.Outbox;
import io.feedkit.spi.Outbox.PageQuery;
import io.feedkit.spi.PositionRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * Reads of the newest posts of many authors from their outboxes, against the best query written by hand for each number
 * of authors.
 */
final class PullCost implements Measurement {

    private static final List<Integer> FOLLOWEES = List.of(50, 200, 1000);
    private static final int MANY = 1000;
    private static final int READERS = 64;
    private static final Target TARGET = new Target.RatioAtMost(1.3);
    private static final Target TIMES_FASTER = new Target.RatioAtLeast(8);

    private final Optional<String> url;

    PullCost(Optional<String> url) {
        this.url = url;
    }

    /** Reads a page of some authors. */
    private interface Page {
        List<String> of(List<String> authors);
    }

    /** A way to read a page. */
    private record Way(String name, Page page) {}

    @Override
    public String name() {
        return "pull";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int authors = PostLoad.authors(scale);
        List<Figure> figures = new ArrayList<>();
        try (BenchDatabase database = BenchDatabase.open(url)) {
            List<PostLoad> loads = List.of(new PostLoad("even", authors, false), new PostLoad("skew", authors, true));
            loads.forEach(load -> load.into(database));
            database.settle("post");
            try (JdbcFeedStore store = database.store();
                    HandPages hand = new HandPages(database)) {
                for (PostLoad load : loads) {
                    FOLLOWEES.stream()
                            .filter(followees -> followees <= authors)
                            .forEach(
                                    followees -> figures.addAll(figures(scale, store.outbox(), hand, load, followees)));
                }
            }
        }
        return figures;
    }

    private List<Figure> figures(Scale scale, Outbox outbox, HandPages hand, PostLoad load, int followees) {
        List<List<String>> readers = load.followees(READERS, followees);
        Way store = new Way("the store", authors -> page(outbox, authors));
        List<Way> byHand = List.of(new Way("LATERAL", hand::lateral), new Way("ANY and a bound", hand::bounded));
        requireSame(readers.get(0), store, byHand);

        List<Medians> against = new ArrayList<>();
        for (Way way : byHand) {
            against.add(
                    Rounds.of(scale).medians(() -> millis(scale, readers, store), () -> millis(scale, readers, way)));
        }
        int best = against.get(0).baseline() <= against.get(1).baseline() ? 0 : 1;
        String what = "newest 20 of " + followees + " authors" + (load.skewed() ? ", skewed" : "");
        List<Figure> figures = new ArrayList<>();
        for (int i = 0; i < byHand.size(); i++) {
            String way = byHand.get(i).name() + (i == best ? ", the fastest by hand" : "");
            figures.add(figure(what, way, "ms", against.get(i), i == best ? TARGET : Target.NONE));
        }
        if (followees == MANY) {
            Way plain = new Way("ANY, sorted", hand::plain);
            requireSame(readers.get(0), store, List.of(plain));
            Medians medians = Rounds.of(scale)
                    .medians(() -> 1000 / millis(scale, readers, store), () -> 1000 / millis(scale, readers, plain));
            figures.add(figure(what, plain.name(), "pages/s", medians, TIMES_FASTER));
        }
        return figures;
    }

    private Figure figure(String what, String against, String unit, Medians medians, Target target) {
        return Figure.of(name() + ": " + what + " (against " + against + ")", unit, medians, target);
    }

    private static double millis(Scale scale, List<List<String>> readers, Way way) {
        int[] next = new int[1];
        return Clocked.of(scale).millis(() -> way.page().of(readers.get(next[0]++ % readers.size())));
    }

    private static List<String> page(Outbox outbox, List<String> authors) {
        List<Post> posts = outbox.page(
                new PageQuery(new HashSet<>(authors), PositionRange.ALL, Order.NEWEST_FIRST, HandPages.PAGE));
        return posts.stream().map(post -> post.author() + " " + post.id()).toList();
    }

    private static void requireSame(List<String> authors, Way store, List<Way> byHand) {
        List<String> page = store.page().of(authors);
        for (Way way : byHand) {
            if (!way.page().of(authors).equals(page)) {
                throw new IllegalStateException(way.name() + " must read what the store reads, " + page);
            }
        }
    }
}
