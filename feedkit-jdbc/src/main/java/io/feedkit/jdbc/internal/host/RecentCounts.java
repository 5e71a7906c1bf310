package io.feedkit.jdbc.internal.host;

import io.feedkit.FollowCounts;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The counts of users with many edges. The database counts rows, and policies ask at each publish, for which an
 * estimate is enough. An old count is made again by one caller, and the others go on with it. A count is old after a
 * minute, and one of a million after ten, because it takes longer to make. Thread-safe.
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

    /** The counts that need not be made again by this caller. */
    Map<String, FollowCounts> recent(Collection<String> users) {
        Map<String, FollowCounts> known = new HashMap<>();
        long now = nanoTime.getAsLong();
        for (String user : users) {
            Counted counted = byUser.get(user);
            if (counted != null) {
                boolean old = now - counted.at() >= counted.keptNanos();
                // Whoever replaces it counts; the others have the old count for as long again.
                if (!old || !byUser.replace(user, counted, new Counted(counted.counts(), now))) {
                    known.put(user, counted.counts());
                }
            }
        }
        return known;
    }

    /** All counts that are known, for a caller who should not count. */
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

    /** Remembers counts that were just made, if they are large. */
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
