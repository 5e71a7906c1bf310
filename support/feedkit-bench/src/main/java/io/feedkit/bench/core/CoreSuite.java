package io.feedkit.bench.core;

import io.feedkit.bench.Suite;
import java.util.List;

/** The engine and the in-memory store, against what a host would write by hand. */
public final class CoreSuite {

    private CoreSuite() {}

    /**
     * Lists the measurements.
     *
     * @return the suite
     */
    public static Suite create() {
        return new Suite(
                "core",
                "the engine on the in-memory store",
                List.of(
                        new HugeFanout(),
                        new PublishCost(),
                        new FanoutCost(),
                        new ReadCost(),
                        new MergeCost(),
                        new CursorCost(),
                        new EntryMemory()));
    }
}
