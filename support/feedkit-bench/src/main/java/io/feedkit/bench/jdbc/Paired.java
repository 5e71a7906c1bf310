package io.feedkit.bench.jdbc;

import io.feedkit.bench.Rounds.Medians;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/** Returns value and baseline one by one if a single run measures both. Used by one thread. */
final class Paired {

    private final Supplier<Medians> run;
    private final Queue<Double> values = new ArrayDeque<>();
    private final Queue<Double> baselines = new ArrayDeque<>();

    Paired(Supplier<Medians> run) {
        this.run = run;
    }

    double value() {
        return take(values);
    }

    double baseline() {
        return take(baselines);
    }

    private double take(Queue<Double> wanted) {
        if (wanted.isEmpty()) {
            Medians measured = run.get();
            values.add(measured.value());
            baselines.add(measured.baseline());
        }
        return wanted.remove();
    }
}
