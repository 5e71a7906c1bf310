package io.feedkit.bench.scale.register;

import io.feedkit.FeedEngine;
import io.feedkit.FeedEngineBuilder;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Measurement;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import io.feedkit.bench.Timing;
import io.feedkit.memory.InMemoryFeedStore;
import java.util.List;

/** First pages on the in-memory store while its large register changes. */
public final class MemoryRegister implements Measurement {

    /** Windows so much longer than others, so that the register is asked in each. */
    private static final int LONGER = 4;

    @Override
    public String name() {
        return "register in memory";
    }

    @Override
    public List<Figure> measure(Scale scale) {
        Scale longer = new Scale(scale.rounds(), scale.window().multipliedBy(LONGER), scale.idle(), scale.followers());
        try (RegisterFeed large = new RegisterFeed(InMemoryFeedStore.create().outbox(), RegisterFeed.large(scale));
                RegisterFeed small = new RegisterFeed(InMemoryFeedStore.create().outbox(), RegisterFeed.SMALL)) {
            FeedEngine ofLarge = large.engine(FeedEngineBuilder.DEFAULT_STALENESS);
            FeedEngine ofSmall = small.engine(FeedEngineBuilder.DEFAULT_STALENESS);
            Timing timing = Timing.of(longer);
            Rounds.Medians warm;
            Figure rate;
            try (SteadyChanges changes = SteadyChanges.of(large::change, small::change)) {
                warm = Rounds.of(scale)
                        .medians(
                                () -> timing.nanos(() -> RegisterFeed.first(ofLarge, 0)),
                                () -> timing.nanos(() -> RegisterFeed.first(ofSmall, 0)));
                rate = changes.figure(name());
            }
            return List.of(
                    Figure.of(
                            name() + ": first page, 200 changes a second (against 100 entries)",
                            "ns of CPU",
                            warm,
                            new Target.RatioAtMost(1.2)),
                    rate,
                    PageAfterChanges.figure(name(), scale, large, small));
        }
    }
}
