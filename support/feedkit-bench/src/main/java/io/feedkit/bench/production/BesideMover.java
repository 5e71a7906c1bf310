package io.feedkit.bench.production;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Publishers and readers, while another engine moves posts to the archive at the default rate, against the same load
 * without it. Times begin when a call was due.
 */
final class BesideMover implements Measurement {

    private static final int OLD_AUTHORS = 200;
    private static final long OLD_MILLIS = Duration.ofDays(40).toMillis();
    private static final long STEP_MILLIS = 60_000;
    private static final int SPARE_SECONDS = 4;
    private static final Target P50 = new Target.RatioAtMost(1.2);
    private static final Target P99 = new Target.AtMostLarger(3, 5);
    private static final double ENOUGH = 0.8;

    @Override
    public String name() {
        return "beside mover";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        Duration window = scale.idle();
        List<MixedLoad.Window> idle = new ArrayList<>();
        List<MixedLoad.Window> beside = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        try (Shape shape = Shape.production();
                MixedLoad load = new MixedLoad(shape)) {
            loadOld(shape, scale, window);
            for (int round = -1; round < scale.rounds(); round++) {
                MixedLoad.Window without = load.run(window);
                MovedPosts moved = new MovedPosts();
                MixedLoad.Window with = beside(shape, moved, () -> load.run(window));
                if (round >= 0) {
                    idle.add(without);
                    beside.add(with);
                    rates.add(moved.perSecond());
                }
            }
        }
        List<Figure> figures = new ArrayList<>();
        for (MixedLoad.Kind kind : MixedLoad.Kind.values()) {
            figures.addAll(Latency.figures(
                    name() + ": " + kind.text(),
                    "idle",
                    beside.stream().map(one -> one.of(kind)).toList(),
                    idle.stream().map(one -> one.of(kind)).toList(),
                    P50,
                    P99));
        }
        figures.add(new Figure(
                name() + ": rows moved meanwhile (against the default rate)",
                "rows/s",
                Rounds.median(rates),
                FeedEngineBuilder.DEFAULT_ARCHIVE_RATE,
                new Target.RatioAtLeast(ENOUGH)));
        return figures;
    }

    /** Loads more rows than the mover can move in all windows together. */
    private static void loadOld(Shape shape, Scale scale, Duration window) {
        long seconds = (scale.rounds() + 1) * (window.toSeconds() + SPARE_SECONDS);
        int each = (int) (seconds * FeedEngineBuilder.DEFAULT_ARCHIVE_RATE / OLD_AUTHORS);
        long newest = System.currentTimeMillis() - OLD_MILLIS;
        new TimedPosts("old", OLD_AUTHORS, "old", each, newest, STEP_MILLIS).into(shape.database());
        shape.database().settle("post");
    }

    private static MixedLoad.Window beside(Shape shape, MovedPosts moved, Running running) {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            FeedEngine mover = shape.engine().workers(0).listener(moved).build();
            Future<Long> moving = thread.submit(mover::archivePosts);
            MixedLoad.Window window;
            try (mover) {
                moved.awaitFirst();
                window = running.run();
                if (moving.isDone()) {
                    throw new IllegalStateException("posts must move during the whole window, but none are left");
                }
            }
            moving.get();
            return window;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("posts could not be moved", e);
        } finally {
            thread.shutdown();
        }
    }

    /** The load of one window. */
    private interface Running {
        MixedLoad.Window run();
    }
}
