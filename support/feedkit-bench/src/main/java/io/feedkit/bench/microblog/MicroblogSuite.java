package io.feedkit.bench.microblog;

import io.feedkit.bench.Suite;
import java.util.List;

/** The microblog of the examples, in a process of its own, with PostgreSQL and Redis. */
public final class MicroblogSuite {

    private MicroblogSuite() {}

    /**
     * Lists the measurements. They start servers of their own.
     *
     * @return the suite
     */
    public static Suite create() {
        return new Suite(
                "microblog",
                "the microblog over HTTP, with posts in PostgreSQL and inboxes in Redis",
                List.of(new HomePages(), new PublishToBrowser()));
    }
}
