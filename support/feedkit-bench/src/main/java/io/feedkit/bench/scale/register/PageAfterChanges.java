package io.feedkit.bench.scale.register;

import io.feedkit.FeedEngine;
import io.feedkit.bench.Clocked;
import io.feedkit.bench.Figure;
import io.feedkit.bench.Rounds;
import io.feedkit.bench.Scale;
import io.feedkit.bench.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A page that is the first to see a second's changes. */
final class PageAfterChanges {

    private static final int PAGES = 5;
    private static final Target TARGET = new Target.RatioAtMost(1.2);

    private PageAfterChanges() {}

    static Figure figure(String measurement, Scale scale, RegisterFeed large, RegisterFeed small) {
        FeedEngine ofLarge = large.engine(Duration.ZERO);
        FeedEngine ofSmall = small.engine(Duration.ZERO);
        Rounds.Medians medians = Rounds.of(scale).medians(() -> millis(large, ofLarge), () -> millis(small, ofSmall));
        return Figure.of(measurement + ": first page after 200 changes (against 100 entries)", "ms", medians, TARGET);
    }

    private static double millis(RegisterFeed feed, FeedEngine engine) {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < PAGES; i++) {
            for (int change = 0; change < Pace.CHANGES_A_SECOND; change++) {
                feed.changeFew();
            }
            times.add(Clocked.once(() -> RegisterFeed.first(engine, 0)));
        }
        return Rounds.median(times);
    }
}
