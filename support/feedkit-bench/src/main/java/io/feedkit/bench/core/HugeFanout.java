package io.feedkit.bench.core;

import io.feedkit.bench.ChildJvm;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import java.util.List;
import java.util.Map;

/** A post to an author with very many followers, in a JVM with a small heap, while others read. */
final class HugeFanout implements Measurement {

    private static final int HEAP_MEGABYTES = 256;

    @Override
    public String name() {
        return "huge fan-out";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        Map<String, Medians> measured = new ChildJvm(List.of("-Xmx" + HEAP_MEGABYTES + "m"))
                .run(
                        HugeFanoutChild.class,
                        List.of(
                                Integer.toString(scale.followers()),
                                Integer.toString(Math.min(3, scale.rounds())),
                                Long.toString(scale.idle().toMillis())));
        Target reads = new Target.AtMostLarger(3, 2);
        return List.of(
                figure(
                        measured,
                        HugeFanoutChild.SPEED,
                        "one thread, map of deques",
                        "followers/s",
                        new Target.AtLeast(50_000)),
                figure(measured, HugeFanoutChild.P99, "idle", "ms", reads),
                figure(measured, HugeFanoutChild.P99_SINCE_DUE, "idle", "ms", Target.NONE),
                figure(measured, HugeFanoutChild.P50, "idle", "ms", Target.NONE),
                figure(measured, HugeFanoutChild.PEAK, "live data before", "MB", Target.NONE));
    }

    private Figure figure(Map<String, Medians> measured, String key, String against, String unit, Target target) {
        Medians medians = measured.get(key);
        if (medians == null) {
            throw new IllegalStateException(key + " was not measured");
        }
        return Figure.of(name() + ": " + key + " (against " + against + ")", unit, medians, target);
    }
}
