package io.feedkit.internal;

import io.feedkit.fanout.Backlog;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.Depth;
import java.time.Clock;
import java.time.Duration;

/**
 * The depth of the fan-out log, for policies known to within a second. What was asked in transactions of the host is kept apart, since such a transaction may see what was so when it
 * began. Waits for no other thread. Thread-safe.
 */
public final class Backlogs {

    private static final long FRESH_MILLIS = 1000;

    private record Known(Backlog backlog, long at) {}

    private final FanoutLog log;
    private final Clock clock;
    private volatile Known known = new Known(new Backlog(0, Duration.ZERO, 0), Long.MIN_VALUE);
    private volatile Known knownInTransactions = known;

    public Backlogs(FanoutLog log, Settings settings) {
        this.log = log;
        this.clock = settings.clock();
    }

    /** The backlog now. */
    public Backlog read() {
        Known read = read(log);
        known = read;
        return read.backlog();
    }

    private Known read(FanoutLog asked) {
        Depth depth = asked.depth();
        long now = clock.millis();
        Duration age = depth.oldestCreated() == 0
                ? Duration.ZERO
                : Duration.ofMillis(Math.max(0, now - depth.oldestCreated()));
        return new Known(new Backlog(depth.unfinished(), age, depth.dead()), now);
    }

    /** How old the backlog is, or was within the last second. */
    Duration age() {
        Known recent = known;
        return isFresh(recent) ? recent.backlog().age() : read().age();
    }

    /**
     * The same for a publish in a transaction of the host.
     *
     * @param joined the log as the transaction sees it; asked only if nothing is known
     */
    Duration age(FanoutLog joined) {
        Known recent = known;
        if (!isFresh(recent)) {
            recent = knownInTransactions;
        }
        if (!isFresh(recent)) {
            recent = read(joined);
            knownInTransactions = recent;
        }
        return recent.backlog().age();
    }

    private boolean isFresh(Known recent) {
        long now = clock.millis();
        return recent.at() <= now && now - FRESH_MILLIS < recent.at();
    }
}
