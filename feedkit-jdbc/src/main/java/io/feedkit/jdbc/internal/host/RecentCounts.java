package io.feedkit.jdbc.internal.host;

import io.feedkit.FollowCounts;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The counts of users with many edges, for a minute: the database counts rows, and policies ask at each publish. An
 * estimate is enough for them. Thread-safe.
 */
final class RecentCounts {

    private static final long MANY = 10_000;
    private static final int MOST_USERS = 10_000;
    private static final long KEPT_NANOS = Duration.ofMinutes(1).toNanos();

    private record Counted(FollowCounts counts, long at) {

        boolean isRecent() {
            return System.nanoTime() - at < KEPT_NANOS;
        }
    }

    private final Map<String, Counted> byUser = new ConcurrentHashMap<>();

    /** The counts that are known. */
    Map<String, FollowCounts> of(Collection<String> users) {
        Map<String, FollowCounts> known = new HashMap<>();
        for (String user : users) {
            Counted counted = byUser.get(user);
            if (counted != null && counted.isRecent()) {
                known.put(user, counted.counts());
            }
        }
        return known;
    }

    void remember(Map<String, FollowCounts> counts) {
        if (byUser.size() > MOST_USERS) {
            byUser.values().removeIf(counted -> !counted.isRecent());
        }
        if (byUser.size() > MOST_USERS) {
            byUser.clear();
        }
        counts.forEach((user, count) -> {
            if (count.followers() + count.followees() >= MANY) {
                byUser.put(user, new Counted(count, System.nanoTime()));
            }
        });
    }
}
