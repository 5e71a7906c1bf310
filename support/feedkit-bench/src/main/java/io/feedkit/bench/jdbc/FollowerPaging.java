package io.feedkit.bench.jdbc;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.spi.FollowGraph;
import io.feedkit.spi.FollowGraph.FollowerQuery;
import io.feedkit.spi.FollowGraph.IdPage;
import io.feedkit.spi.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * Walks all followers of an author with very many, page by page. The last pages should cost the same as the first, in
 * time and in memory.
 */
final class FollowerPaging implements Measurement {

    private static final String STAR = "star";
    private static final int FOLLOWERS_PART = 10;
    private static final int PAGE = FeedEngineBuilder.DEFAULT_BATCH_SIZE;
    private static final int PARTS = 10;

    private final Optional<String> url;

    FollowerPaging(Optional<String> url) {
        this.url = url;
    }

    @Override
    public String name() {
        return "paging";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int followers = Math.max(PARTS * PAGE, scale.followers() / FOLLOWERS_PART);
        try (BenchDatabase database = BenchDatabase.open(url)) {
            FollowLoad.follow(database, STAR, followers);
            database.settle("follow");
            try (JdbcFeedStore store = database.store()) {
                int pages = followers / PAGE;
                Paired times = new Paired(() -> times(store.graph(), pages));
                return List.of(
                        Figure.of(
                                name() + ": 1000 followers, the last tenth of very many (against the first tenth)",
                                "ms",
                                Rounds.of(scale).medians(times::value, times::baseline),
                                new Target.RatioAtMost(1.2)),
                        Figure.of(
                                name() + ": live heap after nine tenths of the pages (against after one tenth)",
                                "MB",
                                heap(store.graph(), pages),
                                new Target.RatioAtMost(1.2)));
            }
        }
    }

    private static Medians times(FollowGraph graph, int pages) {
        List<Double> times = new ArrayList<>();
        long[] before = {System.nanoTime()};
        walk(graph, pages, page -> {
            long now = System.nanoTime();
            times.add((now - before[0]) / 1e6);
            before[0] = now;
        });
        int tenth = pages / PARTS;
        return new Medians(Rounds.median(times.subList(pages - tenth, pages)), Rounds.median(times.subList(0, tenth)));
    }

    private static Medians heap(FollowGraph graph, int pages) {
        double[] live = new double[2];
        walk(graph, pages, page -> {
            if (page == pages / PARTS) {
                live[0] = HeapWatch.liveMegabytes();
            } else if (page == pages - pages / PARTS) {
                live[1] = HeapWatch.liveMegabytes();
            }
        });
        return new Medians(live[1], live[0]);
    }

    /** Walks all pages, and checks their number. */
    private static void walk(FollowGraph graph, int pages, IntConsumer afterPage) {
        String after = "";
        for (int page = 0; page < pages; page++) {
            IdPage ids = graph.followers(List.of(new FollowerQuery(STAR, KeyRange.ALL, after, PAGE)))
                    .get(0);
            if (ids.ids().size() != PAGE || ids.more() != (page < pages - 1)) {
                throw new IllegalStateException("there must be " + pages + " full pages, but page " + page + " has "
                        + ids.ids().size() + " followers");
            }
            after = ids.ids().get(PAGE - 1);
            afterPage.accept(page);
        }
    }
}
