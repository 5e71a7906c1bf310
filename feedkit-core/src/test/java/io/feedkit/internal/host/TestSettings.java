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
        Duration minute = Duration.ofMinutes(1);
        return new EngineSettings(
                "bounded",
                clock,
                new InboxLimits(100, 3_600_000),
                true,
                EngineSettings.SHOW_ALL,
                minute,
                minute,
                100,
                100,
                minute,
                1,
                1,
                Duration.ZERO,
                Integer.MAX_VALUE,
                followeeIds,
                minute,
                new EngineSettings.Fanout(0, minute, 100, 10, minute, minute, 100, minute, minute, 100),
                new EngineSettings.Lending(Optional.empty(), false, minute, 100),
                Optional.empty());
    }
}
