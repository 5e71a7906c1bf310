package io.feedkit.bench.core;

import io.feedkit.Post;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Rounds.Medians;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.Timing;
import java.util.List;
import java.util.stream.IntStream;

/** The k-way merge of an inbox's newest posts with the recent posts (heads) of pulled authors. */
final class MergeCost implements Measurement {

    @Override
    public String name() {
        return "merge";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        return IntStream.of(0, 10, 50, 200)
                .mapToObj(heads -> figure(scale, heads))
                .toList();
    }

    private Figure figure(Scale scale, int heads) {
        MergeInput input = MergeInput.of(heads);
        List<Post> expected = input.concatenateAndSort();
        if (!input.merged().equals(expected)) {
            throw new IllegalStateException("the merge must give " + expected + ", but gives " + input.merged());
        }
        Timing timing = Timing.of(scale);
        Medians medians = Rounds.of(scale)
                .medians(() -> timing.perSecond(input::merge), () -> timing.perSecond(input::concatenateAndSort));
        return Figure.of(
                name() + ": an inbox and " + heads + " heads (against concatenate, sort, distinct)",
                "ops/s of CPU",
                medians,
                Target.NONE);
    }
}
