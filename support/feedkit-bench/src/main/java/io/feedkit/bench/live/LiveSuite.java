package io.feedkit.bench.live;

import io.feedkit.bench.Suite;
import io.feedkit.bench.live.presence.PresenceCost;
import java.util.List;

/** Live feeds, presence, cards and ranked pages. */
public final class LiveSuite {

    private LiveSuite() {}

    /**
     * Lists the measurements. They start servers of their own.
     *
     * @return the suite
     */
    public static Suite create() {
        return new Suite(
                "live",
                "live feeds, presence, cards and ranked pages",
                List.of(
                        new ConnectedMemory(),
                        new EventLatency(),
                        new StarEvents(),
                        new IdlePolls(),
                        new CardCost(),
                        new RankedCost(),
                        PresenceCost.inRedis(),
                        PresenceCost.inPostgres()));
    }
}
