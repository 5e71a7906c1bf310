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
                new EngineSettings.Publishing(minute, false, Optional.empty(), EngineSettings.NO_TRANSACTIONS),
                new EngineSettings.Followees(true, Integer.MAX_VALUE, followeeIds, minute),
                new EngineSettings.Inboxes(new InboxLimits(100, 3_600_000), minute, minute, 1, 1, Optional.empty()),
                new EngineSettings.Reading(EngineSettings.SHOW_ALL, minute, Duration.ZERO, 100, 100, minute),
                new EngineSettings.Fanout(
                        workers,
                        pollInterval,
                        false,
                        Optional.empty(),
                        new EngineSettings.Tasks(minute, 100, 10, minute, minute, 100),
                        new EngineSettings.ActivePush(minute, 100)),
                new EngineSettings.Live(Optional.empty(), Optional.empty(), minute, 100, minute),
                new EngineSettings.Presence(Optional.empty(), minute, minute, minute, false, false),
                Optional.empty());
    }
}
