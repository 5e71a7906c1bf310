package io.feedkit.bench.copies;

import io.feedkit.bench.Suite;
import java.util.List;

/** Copies of inboxes in Cassandra, against builds from PostgreSQL alone and against a table written by hand. */
public final class CopiesSuite {

    private CopiesSuite() {}

    /**
     * Lists the measurements. They start servers of their own.
     *
     * @return the suite
     */
    public static Suite create() {
        return new Suite(
                "copies",
                "posts and graph in PostgreSQL, inboxes in Redis, and copies of inboxes in Cassandra",
                List.of(
                        new ReturningCrowd(),
                        new CopyingDown(),
                        new CopyRead(),
                        new TombstoneReads(),
                        new DepthBelowFloor()));
    }
}
