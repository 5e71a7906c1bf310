package io.feedkit.bench.production;

import io.feedkit.FeedEngine;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.HeapWatch;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.production.VerifyStages.Done;
import io.feedkit.verify.VerifyProgress;
import io.feedkit.verify.VerifyProgress.Stage;
import io.feedkit.verify.VerifyReport;
import io.feedkit.verify.VerifyRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How fast {@link FeedEngine#verify} compares a million inboxes without a limit, and the load on the servers at the
 * default rate. Nothing differs.
 */
final class VerifyRate implements Measurement {

    private static final int MOST_READERS = 1_000_000;
    private static final int LEAST_READERS = 100;
    private static final int READERS_PART = 100;
    private static final int SHORT_FOLLOWEES = 5;
    private static final int SHORT_POSTS_EACH = 10;
    private static final int LONG_FOLLOWEES = 100;
    private static final int LONG_POSTS_EACH = 5;
    private static final int LONG_PART = 20;
    private static final int NO_LIMIT = 1_000_000;
    private static final int LONGER = 2;
    private static final double LEAST = 0.01;
    private static final double MILLIS_A_SECOND = 1000;
    private static final List<Stage> LOADED = List.of(Stage.GRAPH, Stage.INBOXES);

    @Override
    public String name() {
        return "verify";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        int readers = scale.followers() >= Scale.FULL.followers()
                ? MOST_READERS
                : Math.max(LEAST_READERS, scale.followers() / READERS_PART);
        List<Figure> figures =
                new ArrayList<>(measure(scale, new ManyInboxes(readers, SHORT_FOLLOWEES, SHORT_POSTS_EACH), true));
        int fewer = Math.max(LEAST_READERS, readers / LONG_PART);
        figures.addAll(measure(scale, new ManyInboxes(fewer, LONG_FOLLOWEES, LONG_POSTS_EACH), false));
        return figures;
    }

    private List<Figure> measure(Scale scale, ManyInboxes inboxes, boolean limited) {
        try (Shape shape = Shape.production();
                FeedEngine engine = shape.engine().build()) {
            inboxes.into(shape, engine);
            List<Figure> figures = new ArrayList<>(unlimited(scale, shape, engine, inboxes));
            if (limited) {
                figures.addAll(atDefaultRate(scale, shape, engine, inboxes.readers()));
            }
            return figures;
        }
    }

    /** Compares everything. About every second, single inboxes are refreshed for a while. */
    private List<Figure> unlimited(Scale scale, Shape shape, FeedEngine engine, ManyInboxes load) {
        Refreshes refreshes = new Refreshes(engine, load.readers(), scale.window());
        VerifyStages stages = new VerifyStages(shape::costs, refreshes::between);
        VerifyReport report =
                engine.verify(VerifyRequest.everything().perSecond(NO_LIMIT).onProgress(stages));
        requireSound(report, load.readers());
        Done inboxes = stages.of(Stage.INBOXES);
        String what = load.readers() + " inboxes of " + load.followees() * load.each() + " posts of " + load.followees()
                + " authors, no limit: ";
        String rate = " (against the default rate)";
        return List.of(
                new Figure(
                        name() + ": " + what + "inboxes (against refreshing one by one)",
                        "inboxes/s",
                        inboxes.perSecond(),
                        MILLIS_A_SECOND / refreshes.millis(),
                        Target.NONE),
                perSecond(what + "inboxes" + rate, "inboxes/s", inboxes),
                perSecond(what + "graph" + rate, "users/s", stages.of(Stage.GRAPH)),
                perSecond(what + "register" + rate, "authors/s", stages.of(Stage.REGISTER)),
                new Figure(
                        name() + ": " + what + "an inbox (against a user of the graph)",
                        "statements",
                        statements(inboxes),
                        Math.max(LEAST, statements(stages.of(Stage.GRAPH))),
                        Target.NONE),
                share(
                        what + "an inbox, this program's CPU",
                        inboxes,
                        inboxes.costs().own()),
                share(
                        what + "an inbox, PostgreSQL's CPU",
                        inboxes,
                        inboxes.costs().postgres()),
                share(what + "an inbox, Redis's CPU", inboxes, inboxes.costs().redis()));
    }

    private static double statements(Done done) {
        return done.costs().statements() / done.checked();
    }

    private Figure perSecond(String what, String unit, Done done) {
        return new Figure(name() + ": " + what, unit, done.perSecond(), VerifyRequest.DEFAULT_PER_SECOND, Target.NONE);
    }

    private Figure share(String what, Done done, double cpuSeconds) {
        return new Figure(
                name() + ": " + what + " (of the time)",
                "ms",
                MILLIS_A_SECOND * cpuSeconds / done.checked(),
                MILLIS_A_SECOND * done.seconds() / done.checked(),
                Target.NONE);
    }

    /** Compares a sample of the readers, large enough for some seconds in each stage. */
    private List<Figure> atDefaultRate(Scale scale, Shape shape, FeedEngine engine, int readers) {
        Duration time = scale.idle().multipliedBy(LONGER);
        Done idle = idle(shape, time);
        double share = VerifyRequest.DEFAULT_PER_SECOND * time.toMillis() / MILLIS_A_SECOND / readers;
        VerifyStages stages = new VerifyStages(shape::costs, progress -> true);
        VerifyReport report =
                engine.verify(VerifyRequest.sample(Math.min(1, share)).onProgress(stages));
        requireSound(report, 0);
        List<Figure> figures = new ArrayList<>();
        for (Stage stage : LOADED) {
            Done done = stages.of(stage);
            String what = stage.name().toLowerCase(Locale.ROOT) + " at the default rate: ";
            figures.addAll(List.of(
                    load(
                            what + "PostgreSQL",
                            "round trips/s",
                            done.perSecond(done.costs().statements()),
                            idle.perSecond(idle.costs().statements())),
                    cpu(
                            what + "PostgreSQL",
                            done.percent(done.costs().postgres()),
                            idle.percent(idle.costs().postgres())),
                    cpu(
                            what + "Redis",
                            done.percent(done.costs().redis()),
                            idle.percent(idle.costs().redis())),
                    cpu(
                            what + "this program",
                            done.percent(done.costs().own()),
                            idle.percent(idle.costs().own()))));
        }
        return figures;
    }

    private static Done idle(Shape shape, Duration time) {
        Costs before = shape.costs();
        long start = System.nanoTime();
        HeapWatch.pause(time.toMillis());
        return new Done(1, (System.nanoTime() - start) / 1e9, shape.costs().since(before));
    }

    private Figure cpu(String what, double value, double idle) {
        return load(what + ", CPU", "% of a core", value, idle);
    }

    private Figure load(String what, String unit, double value, double idle) {
        return new Figure(
                name() + ": " + what + " (against an idle engine)", unit, value, Math.max(LEAST, idle), Target.NONE);
    }

    private static void requireSound(VerifyReport report, int inboxes) {
        long compared = report.checked().getOrDefault(Stage.INBOXES, 0L);
        if (!report.counts().isEmpty() || report.failed() > 0 || compared < inboxes) {
            throw new IllegalStateException(
                    "all of " + inboxes + " inboxes must be compared and equal, but the report is " + report);
        }
    }

    /** Refreshes of single inboxes, between comparisons. Used by one thread. */
    private static final class Refreshes {

        private final FeedEngine engine;
        private final int readers;
        private final Clocked clocked;
        private final List<Double> medians = new ArrayList<>();
        private int next;

        Refreshes(FeedEngine engine, int readers, Duration window) {
            this.engine = engine;
            this.readers = readers;
            this.clocked = new Clocked(window);
        }

        boolean between(VerifyProgress progress) {
            if (progress.stage() == Stage.INBOXES) {
                medians.add(clocked.millis(() -> engine.refresh(ManyInboxes.reader(next++ % readers))));
            }
            return true;
        }

        double millis() {
            return Rounds.median(medians);
        }
    }
}
