package io.feedkit.internal.host;

import io.feedkit.spi.InboxLimits;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Settings for tests of single parts of the engine. */
public final class TestSettings {

    private TestSettings() {}

    /** Everything takes a minute or a hundred; the followee cache holds so many ids. */
    public static EngineSettings with(Clock clock, int followeeIds) {
        return with(clock, followeeIds, 0, Duration.ofMinutes(1));
    }

    /** The same, with workers who poll. */
    public static EngineSettings with(Clock clock, int followeeIds, int workers, Duration pollInterval) {
        Duration minute = Duration.ofMinutes(1);
        return new EngineSettings(
                "bounded",
                clock,
                new InboxLimits(100, 3_600_000),
                true,
                false,
                EngineSettings.SHOW_ALL,
                minute,
                minute,
                100,
                100,
                minute,
                minute,
                1,
                1,
                Duration.ZERO,
                Integer.MAX_VALUE,
                followeeIds,
                minute,
                minute,
                new EngineSettings.Fanout(workers, minute, 100, 10, minute, minute, 100, pollInterval, minute, 100),
                Optional.empty(),
                Optional.empty(),
                EngineSettings.NO_TRANSACTIONS,
                false,
                new EngineSettings.Live(Optional.empty(), Optional.empty(), minute, 100, minute),
                new EngineSettings.Presence(Optional.empty(), minute, minute, minute, false, false),
                Optional.empty(),
                Optional.empty());
    }
}
