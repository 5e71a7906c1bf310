package io.feedkit.bench.redis;

import io.feedkit.bench.Suite;
import java.util.List;

/** The Redis store, against what a host would write by hand with Lettuce. */
public final class RedisSuite {

    private RedisSuite() {}

    /**
     * Lists the measurements. Each starts a server of its own.
     *
     * @return the suite
     */
    public static Suite create() {
        return new Suite(
                "redis",
                "the Redis store",
                List.of(
                        new DeliveryCost(),
                        new EntryMemory(),
                        new ReadCost(),
                        new PublishCost(),
                        new HugeFanout(),
                        new LongestScript()));
    }
}
