package io.feedkit.bench.core;

import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.Timing;
import java.util.List;
import java.util.function.Supplier;

/** Cursors to text and back. */
final class CursorCost implements Measurement {

    @Override
    public String name() {
        return "cursor";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        CursorInput input = CursorInput.create();
        return List.of(
                figure(scale, "print (against base64 of a joined string)", input::print, input::plainPrint),
                figure(scale, "parse (against split of a base64 string)", input::parse, input::plainParse));
    }

    private Figure figure(Scale scale, String what, Supplier<?> value, Supplier<?> baseline) {
        Timing timing = Timing.of(scale);
        Medians medians = Rounds.of(scale).medians(() -> timing.perSecond(value), () -> timing.perSecond(baseline));
        return Figure.of(name() + ": " + what, "ops/s of CPU", medians, Target.NONE);
    }
}
