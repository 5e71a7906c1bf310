package io.feedkit.bench.production;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.RecordedWeek;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.tools.replay.Recording;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * A recorded week in transactions of the host, until all inboxes have it: the production shape, SQL alone, and Redis
 * alone, which has no transactions. All feeds must be the same.
 */
final class WeekCost implements Measurement {

    private static final int MOST_ROUNDS = 3;
    private static final double LEAST = 0.001;
    private static final List<Supplier<Shape>> SHAPES = List.of(Shape::production, Shape::sqlAlone, Shape::redisAlone);
    private static final Target OF_SQL = new Target.RatioAtMost(1.1);

    private final Optional<Recording> recording;

    /**
     * Creates the measurement.
     *
     * @throws IllegalArgumentException if the directory lacks a file
     */
    WeekCost(Optional<Path> data) {
        recording = data.map(RecordedWeek::in);
    }

    /** The runs of one shape. */
    private record Runs(List<WeekRun> runs, int posts) {

        double median(ToDoubleFunction<WeekRun> number) {
            return Rounds.median(runs.stream().mapToDouble(number).boxed().toList());
        }

        double perPost(ToDoubleFunction<Costs> number) {
            return median(run -> number.applyAsDouble(run.costs()) / posts);
        }
    }

    @Override
    public String name() {
        return "week";
    }

    @Override
    public Optional<String> lacks() {
        return recording.isPresent() ? Optional.empty() : Optional.of(RecordedWeek.NEEDED);
    }

    @Override
    public List<Figure> measure(Scale scale) {
        Week week = Week.of(recording.orElseThrow(), scale);
        List<Runs> all = SHAPES.stream()
                .map(shape -> new Runs(new ArrayList<>(), week.posts().size()))
                .toList();
        int rounds = Week.isWhole(scale) ? Math.min(MOST_ROUNDS, scale.rounds()) : 1;
        for (int i = 0; i < rounds * SHAPES.size(); i++) {
            int turn = (i + i / SHAPES.size()) % SHAPES.size();
            try (Shape shape = SHAPES.get(turn).get()) {
                all.get(turn).runs().add(WeekRun.of(shape, week));
            }
        }
        requireSame(all);
        return figures(week, all.get(0), all.get(1), all.get(2));
    }

    /** Checks that the feeds are the same, because figures of different feeds cannot be compared. */
    private static void requireSame(List<Runs> all) {
        List<WeekRun> runs = all.stream().flatMap(one -> one.runs().stream()).toList();
        runs.forEach(run -> run.feeds().forEach((reader, feed) -> {
            List<String> other = runs.get(0).feeds().get(reader);
            if (!feed.equals(other)) {
                throw new IllegalStateException(
                        "the feed of " + reader + " must be the same everywhere, but is " + feed + " and " + other);
            }
        }));
    }

    private List<Figure> figures(Week week, Runs production, Runs sql, Runs redis) {
        String what = week.posts().size() + " posts in host transactions of 500";
        return List.of(
                figure(what + " (against SQL alone)", "s", WeekRun::seconds, production, sql, OF_SQL),
                figure("Redis alone, without transactions (against SQL alone)", "s", WeekRun::seconds, redis, sql),
                figure("until the last commit (against SQL alone)", "s", WeekRun::published, production, sql),
                perPost("statements (against SQL alone)", "round trips/post", Costs::statements, production, sql),
                perPost("scripts of Redis (against Redis alone)", "scripts/post", Costs::scripts, production, redis),
                cpu("this program (against SQL alone)", Costs::own, production, sql),
                cpu("PostgreSQL (against SQL alone)", Costs::postgres, production, sql),
                cpu("Redis (against Redis alone)", Costs::redis, production, redis));
    }

    private Figure figure(String what, String unit, ToDoubleFunction<WeekRun> number, Runs value, Runs baseline) {
        return figure(what, unit, number, value, baseline, Target.NONE);
    }

    private Figure figure(
            String what, String unit, ToDoubleFunction<WeekRun> number, Runs value, Runs baseline, Target target) {
        return new Figure(
                name() + ": " + what, unit, value.median(number), Math.max(LEAST, baseline.median(number)), target);
    }

    private Figure cpu(String what, ToDoubleFunction<Costs> number, Runs value, Runs baseline) {
        return figure("CPU, " + what, "s", run -> number.applyAsDouble(run.costs()), value, baseline);
    }

    private Figure perPost(String what, String unit, ToDoubleFunction<Costs> number, Runs value, Runs baseline) {
        return new Figure(
                name() + ": " + what,
                unit,
                value.perPost(number),
                Math.max(LEAST, baseline.perPost(number)),
                Target.NONE);
    }
}
