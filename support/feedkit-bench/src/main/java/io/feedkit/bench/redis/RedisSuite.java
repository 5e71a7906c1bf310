package io.feedkit.bench.redis;

import io.feedkit.bench.Measurement;
import io.feedkit.bench.Suite;
import io.feedkit.bench.redis.layouts.InboxLayouts;
import io.feedkit.bench.redis.scripts.LongestScript;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The Redis store, against what a host would write by hand with Lettuce. */
public final class RedisSuite {

    private RedisSuite() {}

    /**
     * Lists the measurements. Each starts a server of its own.
     *
     * @param data the directory of recorded follows and posts
     * @return the suite
     * @throws IllegalArgumentException if a file is missing
     */
    public static Suite create(Optional<Path> data) {
        return new Suite(
                "redis",
                "the Redis store",
                List.of(
                        new DeliveryCost(),
                        new InboxLayouts(),
                        new EntryMemory(),
                        new ReadCost(),
                        new PublishCost(),
                        new FollowCost(),
                        new HugeFanout(),
                        new LongestScript(),
                        new ReplayCost(data)));
    }

    /**
     * Lists the measurements of unread counts and counters.
     *
     * @return the measurements
     */
    public static List<Measurement> unread() {
        return List.of(new FeedUnread(), new TypedCounts());
    }
}
