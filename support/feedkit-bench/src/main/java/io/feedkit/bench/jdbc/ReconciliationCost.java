package io.feedkit.bench.jdbc;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.PageRequest;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.jdbc.JdbcFeedStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The routine reconciliation of inboxes: its time, and the time of the pages that start it. */
final class ReconciliationCost implements Measurement {

    private static final int READERS = 64;
    private static final int FOLLOWEES = 200;
    private static final PageRequest FIRST_PAGE = PageRequest.first(20);
    private static final Target TARGET = new Target.RatioAtMost(1.5);

    private final Optional<String> url;

    ReconciliationCost(Optional<String> url) {
        this.url = url;
    }

    @Override
    public String name() {
        return "reconciliation";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        try (BenchDatabase database = BenchDatabase.open(url)) {
            PostLoad load = new PostLoad("even", PostLoad.authors(scale), false);
            load.into(database);
            database.settle("post");
            try (JdbcFeedStore store = database.store();
                    FeedEngine rare = engine(store, FeedEngineBuilder.DEFAULT_RECONCILE_INTERVAL);
                    FeedEngine often = engine(store, Duration.ofSeconds(1))) {
                fill(rare, load.followees(READERS, FOLLOWEES));
                database.settle("inbox", "inbox_entry");
                return figures(scale, rare, often);
            }
        }
    }

    private static FeedEngine engine(JdbcFeedStore store, Duration interval) {
        return FeedEngine.builder(store)
                .reading(reading -> reading.reconcileInterval(interval))
                .build();
    }

    private static void fill(FeedEngine engine, List<List<String>> followees) {
        for (int reader = 0; reader < READERS; reader++) {
            engine.followAll("reader" + reader, followees.get(reader));
            engine.read("reader" + reader, FIRST_PAGE);
        }
    }

    private List<Figure> figures(Scale scale, FeedEngine rare, FeedEngine often) {
        Rounds rounds = Rounds.of(scale);
        return List.of(
                Figure.of(
                        name() + ": of an inbox (against a first page)",
                        "ms",
                        rounds.medians(() -> millis(scale, rare::refresh), () -> millis(scale, page(rare))),
                        Target.NONE),
                Figure.of(
                        name() + ": a first page, each of 64 readers due once a second (against none due)",
                        "ms",
                        rounds.medians(() -> millis(scale, page(often)), () -> millis(scale, page(rare))),
                        TARGET));
    }

    private static Consumer<String> page(FeedEngine engine) {
        return reader -> engine.read(reader, FIRST_PAGE);
    }

    private static double millis(Scale scale, Consumer<String> operation) {
        int[] next = new int[1];
        return Clocked.of(scale).millis(() -> operation.accept("reader" + next[0]++ % READERS));
    }
}
