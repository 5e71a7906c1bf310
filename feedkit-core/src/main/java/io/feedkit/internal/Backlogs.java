package io.feedkit.internal;

import io.feedkit.fanout.Backlog;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Depth;
import java.time.Clock;
import java.time.Duration;

/** The depth of the fan-out log, for policies known to within a second. Thread-safe. */
public final class Backlogs {

    private static final long FRESH_MILLIS = 1000;

    private record Known(Backlog backlog, long at) {}

    private final FanoutLog log;
    private final Clock clock;
    private volatile Known known = new Known(new Backlog(0, Duration.ZERO, 0), Long.MIN_VALUE);

    public Backlogs(FanoutLog log, Settings settings) {
        this.log = log;
        this.clock = settings.clock();
    }

    /** The backlog now. */
    public Backlog read() {
        Depth depth = log.depth();
        long now = clock.millis();
        Duration age = depth.oldestCreated() == 0
                ? Duration.ZERO
                : Duration.ofMillis(Math.max(0, now - depth.oldestCreated()));
        Backlog backlog = new Backlog(depth.unfinished(), age, depth.dead());
        known = new Known(backlog, now);
        return backlog;
    }

    /** How old the backlog is, or was within the last second. */
    Duration age() {
        Known recent = known;
        long now = clock.millis();
        boolean fresh = recent.at() <= now && now - FRESH_MILLIS < recent.at();
        return fresh ? recent.backlog().age() : read().age();
    }
}
