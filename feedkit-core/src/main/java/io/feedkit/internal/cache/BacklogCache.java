package io.feedkit.internal.cache;

import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.QueueTraffic;
import io.feedkit.fanout.TaskKind;
import io.feedkit.internal.host.EngineSettings;
import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.FanoutLog.QueueStatus;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Reads the fan-out's backlog, and caches its age for policies for up to a second. Ages that were read in transactions
 * of the host are cached separately, because such a transaction may see the state at its beginning. No thread waits for
 * another. Thread-safe.
 */
public final class BacklogCache {

    private static final long FRESH_MILLIS = 1000;

    private record Known(Duration age, long at) {}

    private final FanoutLog log;
    private final Clock clock;
    private volatile Known known = new Known(Duration.ZERO, Long.MIN_VALUE);
    private volatile Known knownInTransactions = known;

    public BacklogCache(FanoutLog log, EngineSettings settings) {
        this.log = log;
        this.clock = settings.clock();
    }

    /** The backlog now, with this engine's traffic with its queue. */
    public Backlog read(QueueTraffic queue) {
        QueueStatus status = log.queueStatus();
        return Backlog.builder()
                .due(status.due())
                .deferred(status.deferred())
                .age(readAge())
                .deadLetters(status.dead())
                .lent(status.lent())
                .byKind(byKind())
                .queue(queue)
                .build();
    }

    private Map<TaskKind, Long> byKind() {
        Map<TaskKind, Long> counts = new EnumMap<>(TaskKind.class);
        log.unfinishedByKind().forEach((kind, count) -> counts.put(TaskKind.valueOf(kind.name()), count));
        return counts;
    }

    /** The age of the backlog, as it was at some moment within the last second. */
    public Duration age() {
        Known recent = known;
        return isFresh(recent) ? recent.age() : readAge();
    }

    private Duration readAge() {
        Known read = ask(log::invisibleSince);
        known = read;
        return read.age();
    }

    /**
     * The age of the backlog, for a publish in a transaction of the host.
     *
     * @param invisibleSince reads the log in the transaction; called only if no recent age is cached
     */
    public Duration age(LongSupplier invisibleSince) {
        Known recent = known;
        if (!isFresh(recent)) {
            recent = knownInTransactions;
        }
        if (!isFresh(recent)) {
            recent = ask(invisibleSince);
            knownInTransactions = recent;
        }
        return recent.age();
    }

    private Known ask(LongSupplier invisibleSince) {
        long since = invisibleSince.getAsLong();
        long now = clock.millis();
        return new Known(since == 0 ? Duration.ZERO : Duration.ofMillis(Math.max(0, now - since)), now);
    }

    private boolean isFresh(Known recent) {
        long now = clock.millis();
        return recent.at() <= now && now - FRESH_MILLIS < recent.at();
    }
}
