package io.feedkit.tools.replay;

import io.feedkit.fanout.FanoutPolicy;
import io.feedkit.tools.servers.FanoutQueues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What to replay, and how.
 *
 * @param follows files whose follows are united
 * @param events what happens
 * @param batchSize the most posts published together
 * @param policy how posts reach their readers
 * @param store where feeds are kept, as in {@link FeedStores}
 * @param queue how tasks reach the workers, as in {@link FanoutQueues}
 * @param cap entries of an inbox
 * @param page posts of a page
 * @param liveWindow how long an inbox stays live
 * @param threads fan-out workers and final readers
 * @param newest how many posts every reader reads in the end, or {@link #ALL}
 * @param digest whether to compute the digest
 * @param unread whether to count what is unread in the end
 */
record ReplayOptions(
        List<Path> follows,
        EventFile events,
        int batchSize,
        FanoutPolicy policy,
        String store,
        String queue,
        int cap,
        int page,
        Duration liveWindow,
        int threads,
        int newest,
        boolean digest,
        boolean unread) {

    /** For {@code newest}: the whole feed, page by page. */
    static final int ALL = 0;

    /** For {@code batchSize}: what is published together where nothing can come between. */
    static final int POSTS_PER_BATCH = 500;

    /** For {@code page}, unless something else is wanted. */
    static final int DEFAULT_PAGE = 20;

    /** For {@code newest}, unless something else is wanted. */
    static final int DEFAULT_NEWEST = 50;
}
