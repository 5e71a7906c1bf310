package io.feedkit.jdbc.internal.host;

import io.feedkit.FollowCounts;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * A cache of the counts of users with many edges. The database counts rows, and policies need counts at each publish,
 * where an estimate is enough. If a count is old, one caller counts again, and the others use the old count. A count is
 * old after a minute; a count of a million, which takes longer, is old after ten minutes. Thread-safe.
 */
final class RecentCounts {

    private static final long MANY = 10_000;
    private static final int MOST_USERS = 10_000;
    private static final long KEPT_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long LONGEST_MINUTES = 10;
    private static final long EDGES_A_MINUTE = 100_000;

    private record Counted(FollowCounts counts, long at) {

        private long keptNanos() {
            long edges = Math.max(counts.followers(), counts.followees());
            return KEPT_NANOS * Math.max(1, Math.min(LONGEST_MINUTES, edges / EDGES_A_MINUTE));
        }
    }

    private final Map<String, Counted> byUser = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;

    RecentCounts(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Returns the counts that this caller need not count again. */
    Map<String, FollowCounts> recent(Collection<String> users) {
        Map<String, FollowCounts> known = new HashMap<>();
        long now = nanoTime.getAsLong();
        for (String user : users) {
            Counted counted = byUser.get(user);
            if (counted != null) {
                boolean old = now - counted.at() >= counted.keptNanos();
                // The caller that replaces the entry counts; the others use the old count for the same time again.
                if (!old || !byUser.replace(user, counted, new Counted(counted.counts(), now))) {
                    known.put(user, counted.counts());
                }
            }
        }
        return known;
    }

    /** Returns all known counts, for a caller that should not count. */
    Map<String, FollowCounts> known(Collection<String> users) {
        Map<String, FollowCounts> known = new HashMap<>();
        for (String user : users) {
            Counted counted = byUser.get(user);
            if (counted != null) {
                known.put(user, counted.counts());
            }
        }
        return known;
    }

    /** Remembers new counts, if they are large. */
    void counted(Map<String, FollowCounts> counts) {
        if (byUser.size() > MOST_USERS) {
            byUser.clear();
        }
        long now = nanoTime.getAsLong();
        counts.forEach((user, count) -> {
            if (count.followers() >= MANY || count.followees() >= MANY) {
                byUser.put(user, new Counted(count, now));
            } else {
                byUser.remove(user);
            }
        });
    }
}
