package io.feedkit.bench.scale.register;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.Timing;
import java.util.ArrayList;
import java.util.List;

/** First pages on the in-memory store while its large register changes. */
public final class MemoryRegister implements Measurement {

    /** The factor by which windows are longer than usual, so that the register is read in each of them. */
    private static final int LONGER = 4;

    @Override
    public String name() {
        return "register in memory";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        try (RegisterFeed large = RegisterFeed.inMemory(RegisterFeed.large(scale));
                RegisterFeed small = RegisterFeed.inMemory(RegisterFeed.SMALL)) {
            List<Figure> figures = new ArrayList<>(warm(scale, large, small));
            figures.add(PageAfterChanges.figure(name(), scale, large, small));
            return figures;
        }
    }

    private List<Figure> warm(Scale scale, RegisterFeed large, RegisterFeed small) {
        FeedEngine ofLarge = large.engine(FeedEngineBuilder.DEFAULT_STALENESS);
        FeedEngine ofSmall = small.engine(FeedEngineBuilder.DEFAULT_STALENESS);
        Timing timing = Timing.of(
                new Scale(scale.rounds(), scale.window().multipliedBy(LONGER), scale.idle(), scale.followers()));
        Pace changes = new Pace(Pace.CHANGES_A_SECOND, () -> {
            large.changeFew();
            small.changeFew();
        });
        Rounds.Medians warm = changes.during(() -> Rounds.of(scale)
                .medians(
                        () -> timing.nanos(() -> RegisterFeed.first(ofLarge, 0)),
                        () -> timing.nanos(() -> RegisterFeed.first(ofSmall, 0))));
        String page = name() + ": first page, 200 changes a second (against 100 entries)";
        return List.of(
                Figure.of(page, "ns of CPU", warm, new Target.RatioAtMost(1.2)),
                changes.figure(name() + ": changes meanwhile"));
    }
}
