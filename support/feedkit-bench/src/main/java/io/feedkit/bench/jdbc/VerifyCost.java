package io.feedkit.bench.jdbc;

import io.feedkit.FeedEngine;
import io.feedkit.PageRequest;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.jdbc.JdbcFeedStore;
import io.feedkit.verify.VerifyProgress.Stage;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How long {@link FeedEngine#verify} takes for an inbox without differences. */
final class VerifyCost implements Measurement {

    private static final int READERS = 64;
    private static final int FOLLOWEES = 200;
    private static final PageRequest FIRST_PAGE = PageRequest.first(20);
    private static final VerifyRequest UNLIMITED =
            VerifyRequest.everything().perSecond(1_000_000).recheckAfter(Duration.ZERO);
    private static final double NANOS_IN_MILLI = 1e6;

    private final Optional<String> url;

    VerifyCost(Optional<String> url) {
        this.url = url;
    }

    @Override
    public String name() {
        return "verify";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        try (BenchDatabase database = BenchDatabase.open(url)) {
            PostLoad load = new PostLoad("even", PostLoad.authors(scale), false);
            load.into(database);
            database.settle("post");
            try (JdbcFeedStore store = database.store();
                    FeedEngine engine = FeedEngine.builder(store).build()) {
                fill(engine, load.followees(READERS, FOLLOWEES));
                database.settle("inbox", "inbox_entry");
                return List.of(Figure.of(
                        name() + ": of an inbox (against a refresh)",
                        "ms",
                        Rounds.of(scale).medians(() -> millis(engine), () -> refresh(scale, engine)),
                        Target.NONE));
            }
        }
    }

    private static void fill(FeedEngine engine, List<List<String>> followees) {
        for (int reader = 0; reader < READERS; reader++) {
            engine.followAll("reader" + reader, followees.get(reader));
            engine.read("reader" + reader, FIRST_PAGE);
        }
    }

    /** The time of the stage of the inboxes, for each of them. */
    private static double millis(FeedEngine engine) {
        Map<Stage, Long> begun = new EnumMap<>(Stage.class);
        VerifyReport report = engine.verify(UNLIMITED.onProgress(progress -> {
            begun.putIfAbsent(progress.stage(), System.nanoTime());
            return true;
        }));
        long nanos = begun.getOrDefault(Stage.SEEN_MARKS, 0L) - begun.getOrDefault(Stage.INBOXES, 0L);
        return nanos / NANOS_IN_MILLI / report.checked().getOrDefault(Stage.INBOXES, 1L);
    }

    private static double refresh(Scale scale, FeedEngine engine) {
        int[] next = new int[1];
        return Clocked.of(scale).millis(() -> engine.refresh("reader" + next[0]++ % READERS));
    }
}
